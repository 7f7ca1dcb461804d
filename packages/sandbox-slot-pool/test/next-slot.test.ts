import { execFileSync } from 'node:child_process';
import { isExpected } from '@hermes/vitest-config/services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SlotPoolProvider } from '../src/index.ts';
import { onDocker, openPool } from './_inner.ts';
import { lease, run } from './_slots.ts';

describe.runIf(isExpected('docker'))('the next slot of a place', { timeout: 60_000 }, () => {
  let pool: SlotPoolProvider;
  beforeEach(async () => {
    pool = await openPool({ inner: onDocker, slotsPerSandbox: 1, maxSandboxes: 1 });
  });
  afterEach(() => pool.close());

  /** The supervisors of slots, as the machine sees them. */
  const supervisors = async (): Promise<readonly number[]> => {
    for await (const { id, labels } of pool.list()) {
      if (labels['hermes.slots'] === undefined) continue;
      const lines = execFileSync('docker', ['top', id, '-eo', 'pid,args'], { encoding: 'utf8' });
      return lines
        .split('\n')
        .filter((line) => /hermes-supervisor serve .*--await-limits/.test(line))
        .map((line) => Number(line.trim().split(/\s+/)[0]));
    }
    throw new Error('there is no container');
  };
  const oneSupervisor = () =>
    vi.waitUntil(async () => {
      const [only, ...others] = await supervisors();
      return others.length === 0 && only;
    });

  it('is made as soon as the last is gone, and waits for whoever comes', async () => {
    const first = await lease(pool);
    const old = await oneSupervisor();
    await first.dispose();
    const waiting = await oneSupervisor();
    expect(waiting).not.toBe(old);
    await using second = await lease(pool);
    expect(await supervisors()).toEqual([waiting]);
    expect(await run(second, 'ls -A /workspace; echo on')).toBe('on\n');
  });

  it('makes way for one of other limits, and the next is of these', async () => {
    await (await lease(pool)).dispose();
    const resources = { shmBytes: 1024 ** 2 };
    const shm = 'df -k /dev/shm | awk "NR == 2 { print \\$2 }"';
    for (const _ of [1, 2]) {
      await using slot = await lease(pool, { resources });
      expect(await run(slot, shm)).toBe('1024\n');
    }
    await using plain = await lease(pool);
    expect(await run(plain, shm)).toBe('65536\n');
    expect(pool.stats().quarantinedSlots).toBe(0);
  });

  it('is replaced when it was killed while it waited; who comes at that moment may try again', async () => {
    await (await lease(pool)).dispose();
    process.kill(await oneSupervisor(), 'SIGKILL');
    await vi.waitUntil(async () => (await supervisors()).length === 0);
    await using slot = await lease(pool).catch((error: { retryable?: boolean }) => {
      expect(error.retryable).toBe(true);
      return lease(pool);
    });
    expect(await run(slot, 'echo on')).toBe('on\n');
    expect(pool.stats().quarantinedSlots).toBe(0);
  });
});
