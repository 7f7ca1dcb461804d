import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SandboxRef } from '@hermes/sandbox';
import { listProcesses } from '@hermes/sandbox/host';
import { isExpected } from '@hermes/vitest-config/services';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SlotPoolProvider } from '../src/index.ts';
import { onDocker, onSsh, openPool } from './_inner.ts';
import { lease, run } from './_slots.ts';

// Every run of this user that starts removes what dead runs have left: beside this test it would be first.
const HOLDER = fileURLToPath(new URL('./_holder.ts', import.meta.url));
const LONG_MS = 60_000;

const inners = [
  ...(isExpected('docker') ? [{ name: 'docker', inner: () => onDocker }] : []),
  ...(isExpected('sshd') ? [{ name: 'ssh', inner: onSsh }] : []),
];

/** Of this machine, on which the containers and the host of the tests are. */
async function processesWith(text: string): Promise<readonly string[]> {
  const read = async ({ pid }: { pid: number }) =>
    (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
  const lines = await Promise.all((await listProcesses()).map(read));
  return lines.filter((line) => line.includes(text) && !line.includes('_holder.ts'));
}

async function refsOf(pool: SlotPoolProvider, label: string): Promise<readonly SandboxRef[]> {
  const refs = [];
  for await (const ref of pool.list({ labels: { 'hermes.run': label } })) refs.push(ref);
  return refs;
}

describe.each(inners)('slots on $name whose harness was killed', ({ name, inner }) => {
  let runId: string;
  let marker: string;
  beforeEach(() => {
    runId = `run-${randomUUID()}`;
    marker = `31337.${Math.floor(Math.random() * 1e9)}`;
  });

  /** Kills a harness as soon as its slot is busy. */
  async function killHolder(lifetimeMs: number): Promise<void> {
    const flags = ['--conditions=@hermes/source', '--import', 'tsx', HOLDER];
    const child = spawn(process.execPath, [...flags, name, runId, marker, String(lifetimeMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    const early = ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}`)));
    await Promise.race([once(child.stdout, 'data'), early]);
    child.kill('SIGKILL');
    await ended;
  }

  it('are removed by the reaper with all that belonged to them; those of a living one are not', {
    timeout: LONG_MS,
  }, async () => {
    const pool = await openPool({ inner: inner() });
    onTestFinished(() => pool.close());
    await using own = await lease(pool);
    await killHolder(600_000);
    expect(await processesWith(marker)).not.toEqual([]);
    const [held] = await refsOf(pool, runId);
    const { removed, failed } = await pool.reap();
    expect(failed).toEqual([]);
    expect(removed.map(({ id }) => id)).toContain(held?.id);
    expect(await refsOf(pool, runId)).toEqual([]);
    expect(await processesWith(marker)).toEqual([]);
    expect(await processesWith(held?.id ?? '')).toEqual([]);
    expect(await run(own, 'echo on')).toBe('on\n');
  });

  it('end by themselves at their lifetime', { timeout: LONG_MS }, async () => {
    await killHolder(4000);
    await vi.waitUntil(async () => (await processesWith(marker)).length === 0, {
      timeout: LONG_MS,
      interval: 200,
    });
    const pool = await openPool({ inner: inner() });
    onTestFinished(() => pool.close());
    expect((await pool.reap({ runId })).removed).toHaveLength(1);
  });
});
