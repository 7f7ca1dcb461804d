import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '@hermes/vitest-config/services';
import { expect, it } from 'vitest';
import { createLocalDriver } from '../src/index.ts';
import { temporaryFolder } from './_folders.ts';
import { collect, openProvider, openSandbox, sandboxSpec } from './_provider.ts';

/** A program in bubblewrap's place that fails as bubblewrap does where namespaces are forbidden. */
async function forbiddenBubblewrap(): Promise<string> {
  const path = join(await temporaryFolder(), 'bwrap');
  const message =
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow it';
  await writeFile(path, `#!/bin/sh\necho '${message}' >&2\nexit 1\n`, { mode: 0o755 });
  return path;
}

it.runIf(isExpected('bubblewrap'))('says in one line that bubblewrap was chosen', async () => {
  const driver = await createLocalDriver({ isolation: 'auto', rootDir: await temporaryFolder() });
  const report = await driver.preflight();
  expect(report).toMatchObject({ ok: true, problems: [], capabilities: { isolation: 'process' } });
  expect(report.summary).toBe('isolation bubblewrap: it works here');
});

it('refuses bubblewrap by name where it is not installed, with the way to install it', async () => {
  const settings = { isolation: 'bubblewrap', bubblewrapPath: '/nowhere/bwrap' } as const;
  const driver = await createLocalDriver({ ...settings, rootDir: await temporaryFolder() });
  const { ok, problems } = await driver.preflight();
  expect(ok).toBe(false);
  expect(problems).toMatchObject([
    { code: 'BUBBLEWRAP_MISSING', fix: expect.stringContaining('apt-get install bubblewrap') },
  ]);
  await expect(driver.create(sandboxSpec(), {})).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

it('tells forbidden namespaces from a missing program', async () => {
  const settings = {
    isolation: 'bubblewrap',
    bubblewrapPath: await forbiddenBubblewrap(),
  } as const;
  const driver = await createLocalDriver({ ...settings, rootDir: await temporaryFolder() });
  const { problems } = await driver.preflight();
  expect(problems).toMatchObject([
    {
      code: 'NAMESPACES_FORBIDDEN',
      message: expect.stringContaining('No permissions'),
      fix: expect.stringContaining('seccomp=unconfined'),
    },
  ]);
});

it.each(['missing', 'forbidden'])(
  'falls back to plain processes under auto where bubblewrap is %s, and says why',
  async (kind) => {
    const bubblewrapPath = kind === 'missing' ? '/nowhere/bwrap' : await forbiddenBubblewrap();
    const driver = await createLocalDriver({ bubblewrapPath, rootDir: await temporaryFolder() });
    const report = await driver.preflight();
    expect(report).toMatchObject({
      ok: true,
      capabilities: { isolation: 'none', networkNone: false, absolutePaths: false },
    });
    expect(report.summary).toMatch(/^isolation none: bubblewrap .*; to have isolation, [^\n]+$/);
  },
);

it('refuses a folder for sandboxes that others may write to', async () => {
  const rootDir = join(await temporaryFolder(), 'shared');
  await mkdir(rootDir);
  await chmod(rootDir, 0o777);
  await expect(createLocalDriver({ rootDir })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining(rootDir),
  });
});

it.each([
  [{ image: { kind: 'ref', ref: 'debian' } }],
  [{ user: 'nobody' }],
  [{ network: { mode: 'none' } }],
  [{ network: { mode: 'allowlist', hosts: ['example.org'] } }],
  [{ mounts: [{ source: '/usr', target: '/data', readOnly: true }] }],
  [{ readonlyRoot: true }],
  [{ ports: [80] }],
  [{ workdir: '/app' }],
  [{ workdir: '../outside' }],
  [{ resources: { diskBytes: 1 << 30 } }],
  [{ resources: { gpus: 'all' } }],
] as const)('refuses %j for plain processes before anything exists', async (spec) => {
  const provider = await openProvider({ isolation: 'none' });
  await expect(provider.create(sandboxSpec(spec))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  expect(await collect(provider.list())).toEqual([]);
});

const refused = [
  [{ workdir: 'relative' }],
  [{ workdir: '/usr/share/x' }],
  [{ workdir: '/' }],
  [{ readonlyRoot: true, resources: { diskBytes: 1 << 30 } }],
  [{ image: { kind: 'ref', ref: 'debian' } }],
  [{ network: { mode: 'allowlist', hosts: ['example.org'] } }],
  [{ resources: { gpus: 'all' } }],
] as const;

it.runIf(isExpected('bubblewrap')).each(refused)(
  'refuses %j for bubblewrap before anything exists',
  async (spec) => {
    const provider = await openProvider({ isolation: 'bubblewrap' });
    await expect(provider.create(sandboxSpec(spec))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(await collect(provider.list())).toEqual([]);
  },
);

it('names the limits that are left out where less was asked for', async () => {
  const provider = await openProvider({ isolation: 'none' });
  const resources = { diskBytes: 1 << 30, enforce: 'best_effort' } as const;
  const sandbox = await openSandbox(provider, { resources });
  expect(sandbox.info.unmetLimits).toEqual(['diskBytes']);
});
