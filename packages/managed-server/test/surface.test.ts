import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as managedServer from '../src/index.ts';
import * as testing from '../src/testing/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(managedServer).sort()).toEqual(['createManagedServer', 'openTokenEngine']);
  expect(Object.keys(testing).sort()).toEqual(['scriptedTokenEngine', 'startFakeEngineServer']);
});

it('depends on parsers, protocol, undici and zod alone', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(text).dependencies)).toEqual([
    '@hermes/parsers',
    '@hermes/protocol',
    'undici',
    'zod',
  ]);
});
