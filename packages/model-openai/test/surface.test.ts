import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as modelOpenAi from '../src/index.ts';
import * as testing from '../src/testing/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(modelOpenAi).sort()).toEqual([
    'checkOpenAiModel',
    'createOpenAiModel',
    'createPriceTable',
  ]);
  expect(Object.keys(testing).sort()).toEqual([
    'contextOverflow',
    'perConversation',
    'rateLimited',
    'refusal',
    'runFakeModel',
    'scriptFromJson',
    'serverBroken',
    'startFakeOpenAiServer',
    'unknownModel',
    'wrongKey',
  ]);
});

it('depends on the protocol, the openai package and undici', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(text).dependencies)).toEqual([
    '@hermes/protocol',
    'openai',
    'undici',
  ]);
});
