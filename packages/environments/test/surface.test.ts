import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual(['gsm8k', 'humaneval', 'terminalTest']);
});

it('depends on exactly these packages', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { dependencies, files } = JSON.parse(text) as Record<string, Record<string, string>>;
  expect(Object.keys(dependencies ?? {})).toEqual([
    '@hermes/datasets',
    '@hermes/env-core',
    '@hermes/protocol',
    '@hermes/sandbox',
    '@hermes/tools',
    'zod',
  ]);
  expect(files).toEqual(['dist', 'problems', 'python']);
});
