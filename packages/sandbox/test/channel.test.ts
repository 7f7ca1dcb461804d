import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProviderFromDriver, type Sandbox, SandboxError } from '../src/index.ts';
import { type FolderHooks, folderDriver } from './_hooked-driver.ts';

const TIMEOUT_MS = 60_000;
let root = '';
let opened: NonNullable<FolderHooks['opened']> = [];
let sandbox: Sandbox;

async function create(supervisor: 'go' | 'sh', hooks: FolderHooks = {}): Promise<Sandbox> {
  const provider = createProviderFromDriver(
    folderDriver(root, { opened, ...hooks }),
    {},
    { supervisor },
  );
  return provider.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey: 'box' });
}

const sh = (script: string) => sandbox.exec({ command: { script }, timeoutMs: TIMEOUT_MS });
const channels = () => opened.filter(({ argv }) => argv.includes('serve') || argv.includes('-c'));
/** As a driver knows it: the first that was started to serve. */
const supervisorPid = () => opened.find(({ argv }) => argv.includes('serve'))?.pid ?? null;
const last = () => channels()[channels().length - 1];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-reconnect-'));
  opened = [];
});

afterEach(async () => {
  await sandbox.dispose();
  await rm(root, { recursive: true, force: true });
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return SandboxError.isInstance(error) ? error.code : `no error: ${String(error)}`;
}

it('a command goes on over a new channel, with all of its output once', async () => {
  sandbox = await create('go');
  const script =
    'echo before; echo ready > flag; while [ ! -e go ]; do sleep 0.05; done; echo after';
  const running = sh(script);
  await sh('while [ ! -e flag ]; do sleep 0.05; done');
  const before = opened.length;
  last()?.channel.destroy();
  await sandbox.files.write('go', '');
  const result = await running;
  expect(opened.length).toBeGreaterThan(before);
  expect([result.status, result.stdout.text()]).toEqual(['exited', 'before\nafter\n']);
  expect(sandbox.gone.aborted).toBe(false);
  expect(await sandbox.health()).toBe('ok');
});

it('a process that put its own socket in place of the supervisor gets no channel', async () => {
  sandbox = await create('go', { sandbox: { supervisorPid } });
  const path = join(root, '.box', 'sock');
  await rm(path);
  const visits: string[] = [];
  const thief = createServer((socket) => {
    visits.push('came');
    socket.on('data', () => visits.push('sent')).on('end', () => visits.push('left'));
  });
  await new Promise<void>((resolve) => thief.listen(path, resolve));
  last()?.channel.destroy();
  const error = await sh('true').catch((thrown: unknown) => thrown);
  await new Promise((resolve) => thief.close(resolve));
  expect(error).toMatchObject({
    code: 'SANDBOX_GONE',
    message: expect.stringContaining(`not the supervisor, which is process ${supervisorPid()}`),
  });
  expect(visits).toEqual(['came', 'left']);
});

it('the supervisor that the driver knows is joined again', async () => {
  sandbox = await create('go', { sandbox: { supervisorPid } });
  last()?.channel.destroy();
  expect((await sh('echo here')).stdout.text()).toBe('here\n');
  expect(last()?.argv).toContain('--expect-pid');
});

it('what is asked for during the break waits and is not counted as command time', async () => {
  sandbox = await create('go');
  last()?.channel.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  const result = await sh('echo here');
  expect(result.stdout.text()).toBe('here\n');
});

it('a session keeps its directory and variables over a new channel', async () => {
  sandbox = await create('go');
  const session = await sandbox.session();
  const say = (script: string) => session.exec({ command: { script }, timeoutMs: TIMEOUT_MS });
  await say('cd /usr; kept=1');
  last()?.channel.destroy();
  await sh('true');
  expect((await say('echo $PWD $kept')).stdout.text()).toBe('/usr 1\n');
  await session.close();
});

it.each(['go', 'sh'] as const)(
  'the death of the %s supervisor is the end of the sandbox',
  async (choice) => {
    sandbox = await create(choice);
    // Nobody is left to kill what the supervisor had started, so it ends by itself soon.
    const running = sh('sleep 4');
    const pid = last()?.pid;
    await sh('true');
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    expect(await codeOf(running)).toBe('SANDBOX_GONE');
    expect(sandbox.gone.aborted).toBe(true);
    expect(await codeOf(sh('true'))).toBe('SANDBOX_GONE');
    expect(await sandbox.health()).toBe('dead');
    expect((await sandbox.dispose()).exitReason).toBe('lost');
  },
);

it('another process with the same reference finds the sandbox, its files and its running command', async () => {
  sandbox = await create('go');
  const script = 'echo x >> runs; while [ ! -e go ]; do sleep 0.05; done; wc -l < runs';
  const request = { command: { script }, timeoutMs: TIMEOUT_MS, idempotencyKey: 'long' };
  const first = sandbox.exec(request).catch(() => null);
  await sh('while [ ! -e runs ]; do sleep 0.05; done');
  last()?.channel.destroy();
  const elsewhere = createProviderFromDriver(folderDriver(root));
  const attached = await elsewhere.attach(JSON.parse(JSON.stringify(sandbox.ref)));
  const second = attached.exec(request);
  await attached.files.write('go', '');
  expect((await second).stdout.text().trim()).toBe('1');
  await attached.dispose();
  await first;
});

it.each(['go', 'sh'] as const)(
  'a slow reader under the %s supervisor gets every byte, and the result stays capped',
  async (choice) => {
    sandbox = await create(choice);
    const command = { script: 'head -c 3000000 /dev/zero' } as const;
    const proc = await sandbox.spawn({ command, timeoutMs: TIMEOUT_MS });
    let bytes = 0;
    for await (const chunk of proc.stdout) {
      bytes += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bytes).toBe(3_000_000);
    expect((await proc.wait()).stdout).toMatchObject({
      totalBytes: bytes,
      droppedBytes: 1_951_424,
    });
  },
);
