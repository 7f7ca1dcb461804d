import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as llama from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(llama).sort()).toEqual(['openLlamaEngine']);
});

it('depends on the protocol and the tokenizer; llama.cpp is for its user to install', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const manifest = JSON.parse(text);
  expect(Object.keys(manifest.dependencies)).toEqual(['@hermes/protocol', '@hermes/tokenizer']);
  expect(manifest.peerDependenciesMeta).toEqual({ 'node-llama-cpp': { optional: true } });
});
