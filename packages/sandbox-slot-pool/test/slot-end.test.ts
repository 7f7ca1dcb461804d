import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { isExpected } from '@hermes/vitest-config/services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SlotPoolProvider } from '../src/index.ts';
import { onDocker, openPool } from './_inner.ts';
import { lease, run } from './_slots.ts';

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

describe.runIf(isExpected('docker'))('slots in a container', { timeout: 60_000 }, () => {
  let pool: SlotPoolProvider;
  beforeEach(async () => {
    pool = await openPool({ inner: onDocker, slotsPerSandbox: 3, maxSandboxes: 1 });
  });
  afterEach(() => pool.close());

  const container = async () => {
    for await (const ref of pool.list()) if (ref.labels['hermes.slots'] !== undefined) return ref;
    throw new Error('there is no container');
  };

  it('are all gone within seconds when it is killed, also during a silent command; others come', async () => {
    const slots = [await lease(pool), await lease(pool)];
    const silent = slots.map((slot) => codeOf(run(slot, 'sleep 600', { timeoutMs: 600_000 })));
    execFileSync('docker', ['kill', (await container()).id]);
    expect(await Promise.all(silent)).toEqual(['SANDBOX_GONE', 'SANDBOX_GONE']);
    for (const slot of slots) expect((await slot.dispose()).exitReason).toBe('lost');
    await using next = await lease(pool);
    expect(await run(next, 'echo on')).toBe('on\n');
    expect(pool.stats()).toMatchObject({ sandboxes: 1, totals: { lostSandboxes: 1 } });
  });

  it('are listed with their own labels beside the container, which reaping leaves to its living owner', async () => {
    await using slot = await lease(pool, { labels: { 'hermes.run': 'run-1' } });
    const listed = [];
    for await (const ref of pool.list()) listed.push(ref.id);
    expect(listed).toEqual([slot.ref.id, (await container()).id]);
    expect((await pool.reap()).removed).toEqual([]);
    expect((await container()).labels['hermes.run']).toBe('run-1');
  });

  it('end as crashed when their first process is killed from outside, and leave their place clean', async () => {
    const slot = await lease(pool);
    const gone = once(slot.gone, 'abort');
    const supervisor = ['-KILL', '-u', '100000', '-f', 'serve --state /.hermes/state'];
    execFileSync('docker', ['exec', '-u', '0', (await container()).id, 'pkill', ...supervisor]);
    await gone;
    expect((await slot.dispose()).exitReason).toBe('crashed');
    expect(pool.stats()).toMatchObject({ freeSlots: 3, quarantinedSlots: 0 });
  });

  it('an ended lease reaches nothing: its place is another’s', async () => {
    const old = await lease(pool);
    await old.dispose();
    await using current = await lease(pool);
    expect(await codeOf(run(old, 'true'))).toBe('SANDBOX_GONE');
    await pool.destroy(old.ref);
    expect(await run(current, 'echo on')).toBe('on\n');
    expect(await codeOf(pool.attach(current.ref))).toBe('UNSUPPORTED');
  });

  it('a slot that is not clean is put into quarantine', async () => {
    const slot = await lease(pool);
    const user = String(100_000);
    // A process of the slot's users that is none of the slot's: the proof must see it.
    const id = (await container()).id;
    execFileSync('docker', ['exec', '-d', '-u', user, id, 'sleep', '600']);
    await slot.dispose();
    expect(pool.stats()).toMatchObject({ quarantinedSlots: 1, totals: { quarantines: 1 } });
    await using next = await lease(pool);
    expect(next.ref.name).toContain('-1-g');
  });

  it('limits of a spec are kept for each, and what nobody can limit is refused', async () => {
    await using slot = await lease(pool, { resources: { memoryBytes: 64 * 1024 ** 2, cpus: 0.5 } });
    const result = await slot.exec({ command: { script: 'tail /dev/zero' }, timeoutMs: 30_000 });
    expect(result.status).toBe('oom');
    expect(await codeOf(lease(pool, { resources: { gpus: 'all' } }))).toBe('UNSUPPORTED');
    expect(await codeOf(lease(pool, { network: { mode: 'allowlist', hosts: [] } }))).toBe(
      'UNSUPPORTED',
    );
    expect(await codeOf(lease(pool, { image: { kind: 'ref', ref: 'x' } }))).toBe('UNSUPPORTED');
  });

  it('secrets reach the command that names them, and nobody else', async () => {
    const secret = 'hermes-secret-8f2a';
    await using slot = await lease(pool, { secrets: { TOKEN: secret } });
    await using neighbour = await lease(pool);
    const command = { script: 'echo $TOKEN; sleep 2' };
    const running = slot.exec({ command, secrets: ['TOKEN'], timeoutMs: 30_000 });
    const processes = execFileSync('ps', ['axww', '-o', 'args'], { encoding: 'utf8' });
    expect(processes).not.toContain(secret);
    expect(
      await run(
        neighbour,
        `cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep [h]${secret.slice(1)}`,
      ),
    ).toBe('');
    expect((await running).stdout.text()).toBe(`${secret}\n`);
    expect(JSON.stringify((await container()).labels)).not.toContain(secret);
  });
});

describe.runIf(isExpected('docker'))('a pool with images', { timeout: 60_000 }, () => {
  it('has a container for each image, in which its sandboxes share', async () => {
    const pool = await openPool({ inner: onDocker, images: true, maxSandboxes: 2 });
    try {
      const busybox = { kind: 'ref', ref: 'hermes-test/busybox:1' } as const;
      await using plain = await lease(pool);
      await using first = await lease(pool, { image: busybox });
      await using second = await lease(pool, { image: busybox });
      const system = 'ls /bin/busybox 2>/dev/null || echo debian';
      const shells = [plain, first, second].map((slot) => run(slot, system));
      expect(await Promise.all(shells)).toEqual(['debian\n', '/bin/busybox\n', '/bin/busybox\n']);
      expect([first.info.image, plain.info.image]).toEqual(['hermes-test/busybox:1', null]);
      expect(pool.stats().sandboxes).toBe(2);
    } finally {
      await pool.close();
    }
  });
});
