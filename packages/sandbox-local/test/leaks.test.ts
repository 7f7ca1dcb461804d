import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { listProcesses, removeTree } from '@hermes/sandbox/host';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './_folders.ts';
import { collect, openProvider, openSandbox, run, sandboxSpec } from './_provider.ts';

const HARNESS = fileURLToPath(new URL('./_harness.ts', import.meta.url));
const CONTROLLERS = ['', 'memory', 'cpu', 'cpuacct', 'pids'];

/** Runs a harness in a process of its own until its sandbox is busy. */
async function startHarness(isolation: string, rootDir: string, supervisor: string) {
  const flags = ['--conditions=@hermes/source', '--import', 'tsx', HARNESS];
  const child = spawn(process.execPath, [...flags, isolation, rootDir, supervisor], {
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

/** Whatever of a sandbox is still on this machine. */
async function tracesOf(id: string): Promise<string[]> {
  const processes = await Promise.all(
    (await listProcesses()).map(({ pid }) => traceOfProcess(pid, id)),
  );
  const mounts = (await readFile('/proc/mounts', 'utf8'))
    .split('\n')
    .filter((line) => line.includes(id));
  const groups = await Promise.all(
    CONTROLLERS.map((name) => groupsBelow(`/sys/fs/cgroup/${name}`, id)),
  );
  return [...processes.flat(), ...mounts, ...groups.flat()];
}

async function traceOfProcess(pid: number, id: string): Promise<string[]> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const texts = [await read('environ'), await read('cmdline'), await read('cgroup')];
  return texts.some((text) => text.includes(id)) ? [`process ${pid}: ${texts[1]}`] : [];
}

async function groupsBelow(folder: string, id: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.name.startsWith(id))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

describe.each(isExpected('bubblewrap') ? ['bubblewrap', 'none'] : ['none'])(
  'with isolation %s',
  (isolation) => {
    it.each(['go', 'sh'])(
      'the reaper removes all that a killed harness left (supervisor %s)',
      async (supervisor) => {
        const rootDir = await temporaryFolder();
        const { child, id } = await startHarness(isolation, rootDir, supervisor);
        expect(await tracesOf(id)).not.toEqual([]);
        child.kill('SIGKILL');
        await once(child, 'exit');
        const provider = await openProvider({ isolation: isolation as 'none', rootDir });
        const report = await provider.reap();
        expect(report.failed).toEqual([]);
        expect(report.removed.map((ref) => ref.id)).toEqual([id]);
        expect(await tracesOf(id)).toEqual([]);
        expect(await readdir(rootDir)).toEqual([]);
      },
    );

    it('the reaper ends what is left of a sandbox whose folder was deleted under it', async () => {
      const rootDir = await temporaryFolder();
      const { child, id } = await startHarness(isolation, rootDir, 'go');
      await removeTree(rootDir);
      const provider = await openProvider({ isolation: isolation as 'none', rootDir });
      expect((await provider.reap()).kept.map((ref) => ref.id)).toEqual([id]);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const report = await provider.reap();
      expect(report.failed).toEqual([]);
      expect(report.removed.map((ref) => ref.id)).toEqual([id]);
      expect(await tracesOf(id)).toEqual([]);
    });

    it('the reaper leaves the sandboxes of a living harness alone', async () => {
      const rootDir = await temporaryFolder();
      const { child, id } = await startHarness(isolation, rootDir, 'go');
      const provider = await openProvider({ isolation: isolation as 'none', rootDir });
      const report = await provider.reap();
      expect(report.removed).toEqual([]);
      expect(report.kept.map((ref) => ref.id)).toEqual([id]);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await provider.reap();
      expect(await tracesOf(id)).toEqual([]);
    });

    it('destroying twice, and destroying what never was, is fine', async () => {
      const provider = await openProvider({ isolation: isolation as 'none' });
      const sandbox = await openSandbox(provider);
      await run(sandbox, 'echo started');
      await provider.destroy(sandbox.ref);
      await provider.destroy(sandbox.ref);
      await provider.destroy({ ...sandbox.ref, id: '../../etc' });
      expect(await tracesOf(sandbox.ref.id)).toEqual([]);
    });

    it('a second sandbox of the same key is refused while the first lives', async () => {
      const provider = await openProvider({ isolation: isolation as 'none' });
      const first = await openSandbox(provider, { idempotencyKey: 'same' });
      await run(first, 'echo started');
      await expect(provider.create(sandboxSpec({ idempotencyKey: 'same' }))).rejects.toThrow(
        /same|already/,
      );
      await first.dispose();
      const second = await openSandbox(provider, { idempotencyKey: 'same' });
      expect(await run(second, 'echo again')).toBe('again\n');
    });

    it('a sandbox ends itself when its lifetime is over', async () => {
      const provider = await openProvider({ isolation: isolation as 'none' });
      const sandbox = await openSandbox(provider, { lifetimeMs: 1500 });
      await expect(
        sandbox.exec({ command: { script: 'sleep 60' }, timeoutMs: 60_000 }),
      ).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
      expect((await sandbox.dispose()).exitReason).toBe('lifetime');
      expect(await tracesOf(sandbox.ref.id)).toEqual([]);
      expect(await collect(provider.list())).toEqual([]);
    });
  },
);
