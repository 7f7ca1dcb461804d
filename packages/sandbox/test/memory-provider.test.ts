import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { SandboxSpec } from '../src/index.ts';
import { createMemorySandboxProvider } from '../src/index.ts';
import { createManualClock } from './_manual-clock.ts';

const spec = (overrides: Partial<SandboxSpec> = {}): SandboxSpec => ({
  lifetimeMs: 60_000,
  labels: { 'hermes.run': 'run-1' },
  idempotencyKey: 'key',
  ...overrides,
});

it.each([
  [{ image: { kind: 'ref', ref: 'debian' } }],
  [{ network: { mode: 'none' } }],
  [{ user: 'root' }],
  [{ readonlyRoot: true }],
  [{ ports: [80] }],
  [{ mounts: [{ source: '/a', target: '/b', readOnly: true }] }],
  [{ resources: { memoryBytes: 1 } }],
] as const)('refuses %j before anything exists', async (policy) => {
  const provider = createMemorySandboxProvider();
  await expect(provider.create(spec(policy))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  for await (const ref of provider.list()) expect.fail(`${ref.id} exists`);
});

it('reaps what has expired and nothing else, and a dry run removes nothing', async () => {
  const clock = createManualClock();
  const provider = createMemorySandboxProvider({ effects: { clock } });
  const sandbox = await provider.create(spec());
  expect(await provider.reap({ runId: 'run-1' })).toMatchObject({
    removed: [],
    kept: [sandbox.ref],
  });
  expect(await provider.reap({ runId: 'other' })).toEqual({ removed: [], kept: [], failed: [] });
  await clock.advance(60_000);
  expect(sandbox.gone.aborted).toBe(true);
  expect(await provider.reap()).toEqual({ removed: [], kept: [], failed: [] });
});

it('ends an idle sandbox, and every use starts the limit anew', async () => {
  const clock = createManualClock();
  const provider = createMemorySandboxProvider({ effects: { clock } });
  const sandbox = await provider.create(spec({ idleMs: 1000 }));
  await clock.advance(900);
  await sandbox.files.write('f', 'x');
  await clock.advance(900);
  expect(await sandbox.health()).toBe('ok');
  await clock.advance(100);
  expect(await sandbox.dispose()).toMatchObject({ exitReason: 'idle' });
});

it('keeps a lifetime beyond what one timer can hold', async () => {
  const provider = createMemorySandboxProvider();
  await using sandbox = await provider.create(spec({ lifetimeMs: 2 ** 40 }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await sandbox.health()).toBe('ok');
});

it('follows links inside the tree and gives up on circles', async () => {
  const local = await localFolder();
  await mkdir(join(local, 'real'));
  await writeFile(join(local, 'real', 'f'), 'found');
  await symlink('real', join(local, 'alias'));
  await symlink('circle', join(local, 'circle'));
  await using sandbox = await createMemorySandboxProvider().create(spec());
  expect(await sandbox.files.uploadTree(local, '.')).toEqual({ ok: true, value: null });
  expect(await sandbox.files.read('alias/f')).toMatchObject({ ok: true });
  expect(await sandbox.files.read('circle')).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' });
});

it('refuses to upload what is neither file, folder nor link', async () => {
  const local = await localFolder();
  const server = createServer().listen(join(local, 'socket'));
  onTestFinished(() => {
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  await using sandbox = await createMemorySandboxProvider().create(spec());
  expect(await sandbox.files.uploadTree(local, 't')).toMatchObject({ code: 'PATH_ESCAPE' });
});

it('holds a thousand sandboxes in little memory', async () => {
  const provider = createMemorySandboxProvider();
  const before = process.memoryUsage().heapUsed;
  const sandboxes = await Promise.all(
    Array.from({ length: 1000 }, (_, index) =>
      provider.create(spec({ idempotencyKey: `${index}` })),
    ),
  );
  const eachBytes = (process.memoryUsage().heapUsed - before) / 1000;
  expect(eachBytes).toBeLessThan(32 * 1024);
  await Promise.all(sandboxes.map((sandbox) => sandbox.dispose()));
});

async function localFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'memory-provider-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
