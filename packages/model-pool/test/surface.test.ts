import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as modelPool from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(modelPool).sort()).toEqual([
    'createModelPool',
    'createPooledEngine',
    'measureModel',
    'openAiProbe',
    'openPooledModel',
  ]);
});

it('depends on these packages only', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(text).dependencies)).toEqual(['@hermes/protocol']);
});
