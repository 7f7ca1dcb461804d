import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import {
  hasEnvironmentEntry,
  identifyProcess,
  isProcessAlive,
  listProcesses,
  signalProcess,
} from '../../src/host/process-table.ts';

async function startSleeper(): Promise<number> {
  const env = { PATH: process.env.PATH, MARK: 'of the test' };
  const child = spawn('sleep', ['1000'], { env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid ?? 0;
}

it('a process number that now belongs to another process is not taken for the old one', async () => {
  const own = await identifyProcess(process.pid);
  expect(await isProcessAlive(own)).toBe(true);
  const earlier = { pid: process.pid, startTicks: (own?.startTicks ?? 0) - 1 };
  expect(await isProcessAlive(earlier)).toBe(false);
});

it('a started process is in the table, below its parent, with its environment', async () => {
  const pid = await startSleeper();
  const entry = (await listProcesses()).find((one) => one.pid === pid);
  expect(entry?.parent).toBe(process.pid);
  await expect.poll(() => hasEnvironmentEntry(pid, 'MARK=of the test')).toBe(true);
  expect(await hasEnvironmentEntry(pid, 'MARK=of')).toBe(false);
});

it('an ended process has no identity, is not alive, and cannot be signalled in error', async () => {
  const pid = await startSleeper();
  const id = await identifyProcess(pid);
  signalProcess(pid, 'SIGKILL');
  await expect.poll(() => isProcessAlive(id)).toBe(false);
  await expect.poll(() => identifyProcess(pid)).toBeNull();
  expect(() => signalProcess(pid, 'SIGKILL')).not.toThrow();
});
