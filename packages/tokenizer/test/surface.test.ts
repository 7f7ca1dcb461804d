import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as tokenizer from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(tokenizer).sort()).toEqual([
    'TokenizerError',
    'createTokenizer',
    'loadTokenizer',
    'provePrefix',
    'tokenizerSettings',
  ]);
});

it('depends on the protocol alone', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(text).dependencies)).toEqual(['@hermes/protocol']);
});
