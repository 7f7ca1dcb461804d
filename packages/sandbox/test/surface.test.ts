import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as sandbox from '../src/index.ts';

it('exports what users build on, and nothing else', () => {
  expect(Object.keys(sandbox).sort()).toEqual([
    'SandboxError',
    'createMemorySandboxProvider',
    'createProviderFromDriver',
    'nearestName',
    'supervisorFiles',
  ]);
});

it('depends on the protocol alone, and ships the supervisor', async () => {
  const manifest: unknown = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  );
  expect(manifest).toMatchObject({
    dependencies: { '@hermes/protocol': 'workspace:^' },
    files: ['dist', 'supervisor/bin', 'supervisor/fallback.sh'],
  });
});
