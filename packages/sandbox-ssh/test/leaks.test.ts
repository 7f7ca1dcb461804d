import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listProcesses } from '@hermes/sandbox/host';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collect, openProvider, openSandbox, remoteFolder, run } from './_provider.ts';

const HARNESS = fileURLToPath(new URL('./_harness.ts', import.meta.url));

/** Runs a harness in a process of its own until its sandbox is busy. */
async function startHarness(...args: string[]) {
  const flags = ['--conditions=@hermes/source', '--import', 'tsx', HARNESS];
  const child = spawn(process.execPath, [...flags, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout as Readable });
  const [line] = (await Promise.race([once(lines, 'line'), exitOf(child)])) as [string];
  expect(line).toMatch(/^hermes-\w+ ready$/);
  return { child, id: line.split(' ')[0] ?? '' };
}

async function exitOf(child: ChildProcess): Promise<[string]> {
  const [code] = await once(child, 'exit');
  return [`the harness ended early: ${code}`];
}

async function killHarness(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The processes of a sandbox: its host is this machine. */
async function processesOf(id: string): Promise<string[]> {
  const found = (await listProcesses()).map(async ({ pid }) => {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    const texts = [await read('environ'), await read('cmdline')];
    return texts.some((text) => text.includes(id)) ? [`${pid}: ${texts[1]}`] : [];
  });
  return (await Promise.all(found)).flat();
}

async function sleepersOf(id: string): Promise<string[]> {
  return (await processesOf(id)).filter((line) => /: sleep\0/.test(line));
}

/** Control groups by their name, as far below their mount as a sandbox's lie. */
async function groupsNamed(id: string): Promise<string[]> {
  const mounts = await readdir('/sys/fs/cgroup', { withFileTypes: true });
  const folders = mounts.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const names = folders.map((name) => readdir(`/sys/fs/cgroup/${name}`, { recursive: true }));
  return (await Promise.all(names)).flat().filter((path) => path.endsWith(id));
}

async function untilNone(id: string): Promise<void> {
  while ((await processesOf(id)).length > 0) await sleep(100);
}

describe.runIf(isExpected('sshd'))('of a harness that was killed', { timeout: 60_000 }, () => {
  it.each([
    ['go', 'hermes-ssh'],
    ['sh', 'hermes-ssh'],
    ['go', 'root'],
  ])(
    'the reaper removes all that is left (supervisor %s, account %s)',
    async (supervisor, user) => {
      const rootDir = await remoteFolder(user);
      const { child, id } = await startHarness(rootDir, supervisor, user);
      expect(await processesOf(id)).not.toEqual([]);
      expect((await groupsNamed(id)).length > 0).toBe(user === 'root');
      await killHarness(child);
      const provider = await openProvider({ rootDir, user });
      const report = await provider.reap();
      expect(report.failed).toEqual([]);
      expect(report.removed.map((ref) => ref.id)).toEqual([id]);
      expect(await processesOf(id)).toEqual([]);
      expect(await readdir(rootDir)).toEqual(['bin']);
      expect(await groupsNamed(id)).toEqual([]);
    },
  );

  it('every process ends by itself when nobody comes back, and the reaper takes the files', async () => {
    const rootDir = await remoteFolder();
    const { child, id } = await startHarness(rootDir, 'go', 'hermes-ssh', '600000', '1000');
    await killHarness(child);
    await untilNone(id);
    const provider = await openProvider({ rootDir });
    expect((await provider.reap()).removed.map((ref) => ref.id)).toEqual([id]);
    expect(await readdir(rootDir)).toEqual(['bin']);
  });

  it('every process ends by itself at the end of its lifetime', async () => {
    const rootDir = await remoteFolder();
    const { child, id } = await startHarness(rootDir, 'go', 'hermes-ssh', '4000');
    await killHarness(child);
    await untilNone(id);
    const [ref] = await collect((await openProvider({ rootDir })).list());
    expect(ref?.id).toBe(id);
  });

  it('another one goes on with the sandbox', async () => {
    const rootDir = await remoteFolder();
    const { child, id } = await startHarness(rootDir);
    await killHarness(child);
    const provider = await openProvider({ rootDir });
    const [ref] = await collect(provider.list({ labels: { 'hermes.run': 'leak-test' } }));
    expect(ref?.id).toBe(id);
    const sandbox = await provider.attach(
      ref ?? (Promise.reject(new Error('not listed')) as never),
    );
    expect(await run(sandbox, 'echo still here; ls')).toBe('still here\nclosed\n');
    await sandbox.dispose();
    expect(await processesOf(id)).toEqual([]);
  });
});

describe.runIf(isExpected('sshd'))('the reaper', { timeout: 60_000 }, () => {
  it('leaves the sandboxes of a living harness alone', async () => {
    const rootDir = await remoteFolder();
    const { child, id } = await startHarness(rootDir);
    const provider = await openProvider({ rootDir });
    const report = await provider.reap();
    expect([report.removed, report.kept.map((ref) => ref.id)]).toEqual([[], [id]]);
    await killHarness(child);
    await provider.reap();
    expect(await processesOf(id)).toEqual([]);
  });
});

describe.runIf(isExpected('sshd'))('a command that runs past its time', { timeout: 60_000 }, () => {
  it.each([
    ['hermes-ssh', 4, ''],
    ['root', 5, `su -s /bin/sh nobody -c 'trap "" TERM; setsid sleep 1000' > /dev/null 2>&1 &`],
  ])(
    'is gone with all that it started (account %s), as other users too, and the sandbox goes on',
    async (user, sleepers, asAnother) => {
      const sandbox = await openSandbox(await openProvider({ user }));
      const script = `echo before
${asAnother}
setsid sh -c 'trap "" TERM; (sleep 1000 &); while :; do sleep 1000; done' >/dev/null 2>&1 &
(setsid sleep 1000 &) ; trap "" TERM; while :; do sleep 1; done`;
      const command = { script };
      const running = sandbox.exec({ command, timeoutMs: 4000, killGraceMs: 200 });
      while ((await sleepersOf(sandbox.ref.id)).length < sleepers) await sleep(50);
      const result = await running;
      expect([result.status, result.stdout.text()]).toEqual(['timeout', 'before\n']);
      expect(await sleepersOf(sandbox.ref.id)).toEqual([]);
      expect(await run(sandbox, 'echo after')).toBe('after\n');
    },
  );
});
