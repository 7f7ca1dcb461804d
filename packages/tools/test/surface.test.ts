import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as tools from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(tools).sort()).toEqual([
    'createResultBudget',
    'createToolContext',
    'createToolResources',
    'fileToolset',
    'resolveToolsets',
    'terminalToolset',
    'todoToolset',
  ]);
});

it('has exactly these runtime dependencies', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(text).dependencies).sort()).toEqual([
    '@hermes/protocol',
    '@hermes/sandbox',
    'zod',
  ]);
});
