import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SlotPoolProvider } from '../src/index.ts';
import { onDocker, onSsh, openPool } from './_inner.ts';
import { DISK_BYTES, REFUSED, REMAINS } from './_remains.ts';
import { lease, run } from './_slots.ts';

const inners = [
  ...(isExpected('docker') ? [{ name: 'docker', inner: () => onDocker }] : []),
  ...(isExpected('sshd') ? [{ name: 'ssh', inner: onSsh }] : []),
];

const slot = { diskBytes: DISK_BYTES, pids: 128 };

describe.each(inners)('slots on $name', { timeout: 60_000 }, ({ inner }) => {
  let pool: SlotPoolProvider;
  beforeAll(async () => {
    // One place, which everybody gets after the other; and one beside it.
    pool = await openPool({
      inner: inner(),
      slotsPerSandbox: 2,
      maxSandboxes: 1,
      slot,
      acquireTimeoutMs: 10_000,
    });
  }, 60_000);
  afterAll(() => pool.close());

  describe.each(REMAINS)('what a rollout leaves: $name', ({ leave, look }) => {
    it('is not seen by a neighbour while it is there, nor by the next in its place', {
      timeout: 60_000,
    }, async () => {
      await using neighbour = await lease(pool);
      const before = await run(neighbour, look);
      const first = await lease(pool);
      await run(first, leave, { background: 'adopt' });
      expect([before, await run(neighbour, look)]).toEqual(['', '']);
      await first.dispose();
      await using second = await lease(pool);
      expect(second.ref.id).not.toBe(first.ref.id);
      expect(await run(second, look)).toBe('');
      expect(pool.stats().quarantinedSlots).toBe(0);
    });
  });

  it.each(Object.entries(REFUSED))('a slot’s root is refused %s', async (_, script) => {
    await using slot = await lease(pool);
    const result = await slot.exec({ command: { script }, timeoutMs: 20_000 });
    expect(result).toMatchObject({ status: 'exited' });
    expect('exitCode' in result && result.exitCode).not.toBe(0);
  });

  it('a fork bomb stays within its slot: the neighbour goes on, and the place is free again', {
    timeout: 60_000,
  }, async () => {
    await using neighbour = await lease(pool);
    await using bomber = await lease(pool);
    const bomb = bomber.exec({
      command: { script: 'b() { b | b & sleep 5; }; b' },
      timeoutMs: 4000,
    });
    for (let round = 0; round < 5; round += 1) expect(await run(neighbour, 'echo on')).toBe('on\n');
    await bomb;
    await bomber.dispose();
    await using next = await lease(pool);
    expect(await run(next, 'ls -d /proc/[0-9]* | wc -l | awk "\\$1 > 8 { print }"')).toBe('');
  });

  it('the processes of each slot are other users outside than those of its neighbours', async () => {
    await using first = await lease(pool);
    await using second = await lease(pool);
    const map = (await run(first, 'cat /proc/self/uid_map')).trim();
    const other = (await run(second, 'cat /proc/self/uid_map')).trim();
    const rootOf = (text: string) => Number(text.split(/\s+/)[1]);
    expect(await run(first, 'id -u; id -un')).toBe('0\nroot\n');
    expect(rootOf(map)).toBeGreaterThanOrEqual(100_000);
    expect(Math.abs(rootOf(map) - rootOf(other))).toBe(1000);
  });

  it('a slot installs software and changes the system as it likes, for itself alone', async () => {
    await using first = await lease(pool);
    await using second = await lease(pool);
    const change =
      'useradd -m someone; chown someone /usr/bin/env; su someone -c id -s /bin/sh; mkdir /usr/share/new; stat -c %U /usr/bin/env';
    expect(await run(first, change)).toContain('someone');
    expect(
      await run(second, 'id someone 2>&1; stat -c %U /usr/bin/env; ls -d /usr/share/new 2>&1'),
    ).toMatch(/no such user.*\nroot\n.*No such file/s);
  });

  it('a slot without a network reaches nobody, and has a loopback of its own', async () => {
    await using first = await lease(pool);
    await using second = await lease(pool);
    const serve = 'python3 -m http.server 7070 --bind 0.0.0.0 >/dev/null 2>&1 & sleep 1';
    await run(first, serve, { background: 'adopt' });
    const ask = `python3 -c "import urllib.request as r; print(r.urlopen('http://127.0.0.1:7070').status)" 2>&1 | tail -n 1`;
    expect(await run(first, ask)).toBe('200\n');
    expect(await run(second, ask)).toContain('refused');
    expect(await run(second, 'tail -n +2 /proc/net/route')).toBe('');
  });
});
