import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as rolloutServer from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(rolloutServer)).toEqual(['startRolloutServer']);
});

it('depends on exactly these packages', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  expect(Object.keys(dependencies)).toEqual(['@hermes/env-core', '@hermes/protocol', 'ws', 'zod']);
});
