import { randomUUID } from 'node:crypto';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  createHostDriver,
  joinCommand,
  type Launcher,
  listProcesses,
  openSandboxHost,
  type SandboxHost,
  type SandboxRecord,
} from '../../src/host/index.ts';
import {
  createProviderFromDriver,
  type SandboxProvider,
  type SandboxRef,
  type SandboxSpec,
} from '../../src/index.ts';
import { temporaryFolder } from './_folders.ts';
import { plainLauncher } from './_launcher.ts';

const openHost = async (): Promise<SandboxHost> =>
  openSandboxHost({ rootDir: await temporaryFolder() });

function openProvider(host: SandboxHost, launcher: Launcher = plainLauncher()): SandboxProvider {
  const provider = createProviderFromDriver(createHostDriver(launcher, host));
  onTestFinished(() => provider.close());
  return provider;
}

const spec = (labels: Record<string, string> = {}): SandboxSpec => ({
  lifetimeMs: 60_000,
  labels,
  idempotencyKey: randomUUID(),
});

async function listed(provider: SandboxProvider, labels = {}): Promise<SandboxRef[]> {
  const refs: SandboxRef[] = [];
  for await (const ref of provider.list({ labels })) refs.push(ref);
  return refs;
}

it('runs commands in the folder that the launcher laid out, and removes it', async () => {
  const host = await openHost();
  const provider = openProvider(host);
  const sandbox = await provider.create(spec());
  const result = await sandbox.exec({
    command: { script: 'pwd; echo $HERMES_SANDBOX; sleep 1000 & echo $!' },
    background: 'adopt',
    timeoutMs: 20_000,
  });
  const [folder, mark, pid] = result.stdout.text().trim().split('\n');
  expect(folder).toBe(join(host.rootDir, sandbox.ref.id, 'workspace'));
  expect(mark).toBe(sandbox.ref.id);
  await sandbox.dispose();
  expect((await listProcesses()).some((entry) => String(entry.pid) === pid)).toBe(false);
  expect(await readdir(host.rootDir)).toEqual([]);
});

it('lets another provider of the same root folder list, join and destroy a sandbox', async () => {
  const host = await openHost();
  const sandbox = await openProvider(host).create(spec({ team: 'blue' }));
  await sandbox.files.write('note', 'left here');
  const other = openProvider(host);
  expect(await listed(other, { team: 'red' })).toEqual([]);
  const [ref] = await listed(other, { team: 'blue' });
  expect(ref?.id).toBe(sandbox.ref.id);
  const joined = await other.attach(sandbox.ref);
  const note = await joined.files.read('note');
  expect(note.ok && Buffer.from(note.value).toString()).toBe('left here');
  await other.destroy(sandbox.ref);
  expect(await readdir(host.rootDir)).toEqual([]);
});

it('gives the same key a sandbox of its own in every root folder and under every provider', async () => {
  const [host, elsewhere] = [await openHost(), await openHost()];
  const same = spec();
  const one = await openProvider(host).create(same);
  const two = await openProvider(elsewhere).create(same);
  const three = await openProvider(host, plainLauncher('other')).create(same);
  const ids = [one, two, three].map((sandbox) => sandbox.ref.id);
  expect(new Set(ids).size).toBe(3);
  await one.dispose();
  expect(await two.health()).toBe('ok');
  expect(await three.health()).toBe('ok');
  await two.dispose();
  await three.dispose();
});

it('refuses to create anything while the launcher has found a problem, and says its fix', async () => {
  const host = await openHost();
  const problem = { code: 'PROGRAM_MISSING', message: 'no program', fix: 'install it' };
  const launcher = { ...plainLauncher(), findings: { problems: [problem] } };
  const provider = openProvider(host, launcher);
  expect(await provider.preflight()).toMatchObject({ ok: false, problems: [problem] });
  await expect(provider.create(spec())).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('install it'),
  });
  expect(await readdir(host.rootDir)).toEqual([]);
});

it.each([
  ['ends', 'exit 1'],
  ['goes on without saying its first process', 'echo nonsense >&3; exec sleep 1000'],
])('says what the start command said when it %s', async (_what, then) => {
  const host = await openHost();
  const layOut: Launcher['layOut'] = (...parts) => ({
    ...plainLauncher().layOut(...parts),
    start: () => ['/bin/sh', '-c', `echo no room here >&2; ${then}`],
    readInitPid: (line) => (/^\d+$/.test(line) ? Number(line) : null),
  });
  const provider = openProvider(host, { ...plainLauncher(), layOut });
  await expect(provider.create(spec())).rejects.toMatchObject({
    code: 'SANDBOX_UNHEALTHY',
    message: expect.stringContaining('no room here'),
  });
  expect(await readdir(host.rootDir)).toEqual([]);
});

it('finds control groups whose folder is lost, keeps them while their maker lives, and removes them', async () => {
  const [rootDir, groups] = [await temporaryFolder(), await temporaryFolder()];
  const found = await openSandboxHost({ rootDir });
  const host: SandboxHost = { ...found, cgroups: { version: 2, folders: { pids: groups } } };
  const id = `hermes-${'0'.repeat(24)}`;
  const group = (root: string, maker: string) => join(groups, `${id}.${root}.${maker}`);
  await mkdir(group(host.rootId, '4194305-1'));
  await mkdir(group('0123456789ab', '4194305-1'));
  const provider = openProvider(host);
  const report = await provider.reap({ dryRun: true });
  expect(report.removed.map((ref) => ref.id)).toEqual([id]);
  await provider.reap();
  expect(await readdir(groups)).toEqual([`${id}.0123456789ab.4194305-1`]);
  const ticks = await ownStartTicks();
  await mkdir(group(host.rootId, `${process.pid}-${ticks}`));
  expect((await provider.reap()).kept.map((ref) => ref.id)).toEqual([id]);
  expect((await stat(group(host.rootId, `${process.pid}-${ticks}`))).isDirectory()).toBe(true);
});

it('joins a process namespace with the host’s own supervisor, through its first process', () => {
  const base = { supervisorPath: '/run/supervisor', stateDir: '/run/state', ref: { id: 'x' } };
  const record = { ...base, init: { pid: 42, startTicks: 1 } } as SandboxRecord;
  const argv = ['/run/supervisor', 'serve', '--state', '/run/state'] as const;
  const [program, ...rest] = joinCommand(argv, record);
  expect(program).toMatch(/hermes-supervisor-linux-\w+$/);
  expect(rest).toEqual(['serve', '--state', '/proc/42/root/run/state']);
  expect(joinCommand(argv, { ...record, init: null })).toEqual(argv);
  expect(() => joinCommand(['sh', 'serve'], record)).toThrow(/only its Go supervisor/);
});

async function ownStartTicks(): Promise<number> {
  const own = (await listProcesses()).find((entry) => entry.pid === process.pid);
  return own?.startTicks ?? 0;
}
