import { SandboxError } from '@hermes/sandbox';
import { describe, expect, it } from 'vitest';
import { FakeInner, OTHER, PLAIN, settled, settledValue } from './_fake-inner.ts';

const LIFE_MS = 60_000;

function deferred(): { promise: Promise<void>; resolve: () => void } {
  const parts = { resolve: () => undefined as unknown };
  const promise = new Promise<void>((resolve) => Object.assign(parts, { resolve }));
  return { promise, resolve: () => void parts.resolve() };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

describe('who waits for a slot', () => {
  it('gets it in the order of coming', async () => {
    const { pool } = new FakeInner({ slotsPerSandbox: 1, maxSandboxes: 1 });
    const first = await pool.acquire(PLAIN, LIFE_MS);
    const served: number[] = [];
    const later = [1, 2, 3].map(async (place) => {
      const lease = await pool.acquire(PLAIN, LIFE_MS);
      served.push(place);
      pool.release(lease, true);
    });
    pool.release(first, true);
    await Promise.all(later);
    expect(served).toEqual([1, 2, 3]);
  });

  it('is refused with CAPACITY at the deadline, and with CANCELLED when it gives up', async () => {
    const { pool, clock } = new FakeInner({ slotsPerSandbox: 1, maxSandboxes: 1 });
    await pool.acquire(PLAIN, LIFE_MS);
    const late = codeOf(pool.acquire(PLAIN, LIFE_MS));
    const giveUp = new AbortController();
    const given = codeOf(pool.acquire(PLAIN, LIFE_MS, { signal: giveUp.signal }));
    giveUp.abort();
    expect(await given).toBe('CANCELLED');
    await clock.pass(30_000);
    expect(await late).toBe('CAPACITY');
    expect(pool.stats().waiting).toBe(0);
  });

  it('never waits while it holds a slot itself: two holders cannot wait for each other', async () => {
    const { pool, hosts } = new FakeInner({ slotsPerSandbox: 2, maxSandboxes: 1 });
    await pool.acquire(PLAIN, LIFE_MS);
    await pool.acquire(PLAIN, LIFE_MS);
    const extra = await pool.acquire(PLAIN, LIFE_MS, { isHolder: true });
    const another = await pool.acquire(PLAIN, LIFE_MS, { isHolder: true });
    expect([extra.index, another.index, hosts.length]).toEqual([2, 3, 1]);
    pool.release(extra, true);
    expect(pool.stats()).toMatchObject({ freeSlots: 0, leasedSlots: 3 });
  });

  it('is counted: how many wait, how long, and how long it took', async () => {
    const { pool, clock } = new FakeInner({ slotsPerSandbox: 1, maxSandboxes: 1 });
    const first = await pool.acquire(PLAIN, LIFE_MS);
    const second = pool.acquire(PLAIN, LIFE_MS);
    await clock.pass(5000);
    expect(pool.stats()).toMatchObject({ waiting: 1, longestWaitMs: 5000 });
    pool.release(first, true);
    await second;
    expect(pool.stats().waits).toEqual({ count: 2, p50Ms: 0, p95Ms: 5000, maxMs: 5000 });
  });
});

describe('a slot', () => {
  it('has a name and a generation of its own at every lease', async () => {
    const { pool } = new FakeInner({ slotsPerSandbox: 1 });
    const first = await pool.acquire(PLAIN, LIFE_MS);
    pool.release(first, true);
    const second = await pool.acquire(PLAIN, LIFE_MS);
    expect([first.name, second.name]).toEqual(['0-g1', '0-g2']);
  });

  it('is one that was given back, in which the next is made already, before one that was never given', async () => {
    const { pool } = new FakeInner({ slotsPerSandbox: 4, maxSandboxes: 1 });
    const [first, second] = [
      await pool.acquire(PLAIN, LIFE_MS),
      await pool.acquire(PLAIN, LIFE_MS),
    ];
    pool.release(second, true);
    pool.release(first, true);
    const next = [1, 2, 3].map(() => pool.acquire(PLAIN, LIFE_MS));
    expect((await Promise.all(next)).map(({ index }) => index)).toEqual([1, 0, 2]);
  });

  it('that is not proved clean is never given again', async () => {
    const { pool } = new FakeInner({ maxSandboxes: 1 });
    const dirty = await pool.acquire(PLAIN, LIFE_MS);
    pool.release(dirty, false);
    const next = await pool.acquire(PLAIN, LIFE_MS);
    expect(next.index).not.toBe(dirty.index);
    expect(await settledValue(pool.acquire(PLAIN, LIFE_MS))).toBeNull();
    expect(pool.stats()).toMatchObject({ quarantinedSlots: 1, freeSlots: 0 });
  });

  it('given back twice is given back once', async () => {
    const { pool } = new FakeInner({ slotsPerSandbox: 1, maxSandboxes: 1 });
    const lease = await pool.acquire(PLAIN, LIFE_MS);
    pool.release(lease, true);
    pool.release(lease, true);
    expect(pool.stats().freeSlots).toBe(1);
  });
});

describe('inner sandboxes', () => {
  it('are started as the queue needs them, up to the limit, and the fullest is filled first', async () => {
    const { pool, hosts } = new FakeInner({ slotsPerSandbox: 2, maxSandboxes: 2 });
    const all = Array.from({ length: 5 }, () => pool.acquire(PLAIN, LIFE_MS));
    const leases = await Promise.all(all.slice(0, 4));
    expect([hosts.length, await settledValue(all[4] ?? Promise.resolve(null))]).toEqual([2, null]);
    for (const lease of leases.slice(0, 1)) pool.release(lease, true);
    expect(pool.stats()).toMatchObject({ leasedSlots: 4, waiting: 0 });
  });

  it('are not started beyond what those who wait can use', async () => {
    const { pool, hosts } = new FakeInner({ slotsPerSandbox: 10, maxSandboxes: 5 });
    await Promise.all(Array.from({ length: 9 }, () => pool.acquire(PLAIN, LIFE_MS)));
    expect(hosts).toHaveLength(1);
  });

  it('end when nobody needs them, down to the least number', async () => {
    const { pool, hosts, clock } = new FakeInner({ slotsPerSandbox: 1, minSandboxes: 1 });
    const leases = await Promise.all([1, 2].map(() => pool.acquire(PLAIN, LIFE_MS)));
    for (const lease of leases) pool.release(lease, true);
    await clock.pass(59_000);
    expect(pool.stats().sandboxes).toBe(2);
    await clock.pass(1000);
    expect(hosts.map((host) => host.isDisposed())).toEqual([true, false]);
    await clock.pass(600_000);
    expect(pool.stats().sandboxes).toBe(1);
  });

  it('stay while they are used now and then', async () => {
    const { pool, clock } = new FakeInner();
    for (let turn = 0; turn < 5; turn += 1) {
      pool.release(await pool.acquire(PLAIN, LIFE_MS), true);
      await clock.pass(50_000);
    }
    expect(pool.stats()).toMatchObject({ sandboxes: 1, totals: { sandboxes: 1 } });
  });

  it.each([
    ['leases', { maxLeases: 1 }, 0, true],
    ['age', { maxAgeMs: 1000 }, 1000, true],
    ['slots in quarantine', { maxQuarantined: 1 }, 0, false],
  ])(
    'are replaced when worn out by %s, after their last lease',
    async (_, wear, ageMs, isClean) => {
      const { pool, hosts, clock } = new FakeInner({ ...wear, maxSandboxes: 1 });
      const worn = await pool.acquire(PLAIN, LIFE_MS);
      const last = await pool.acquire(PLAIN, LIFE_MS);
      await clock.pass(ageMs);
      pool.release(worn, isClean);
      const next = pool.acquire(PLAIN, LIFE_MS);
      expect([await settledValue(next), hosts[0]?.isDisposed()]).toEqual([null, false]);
      pool.release(last, true);
      await next;
      expect([hosts[0]?.isDisposed(), hosts.length]).toEqual([true, 2]);
    },
  );

  it('that are gone take their leases along, and others come', async () => {
    const { pool, hosts } = new FakeInner({ maxSandboxes: 1 });
    const lease = await pool.acquire(PLAIN, LIFE_MS);
    hosts[0]?.lose();
    expect(lease.gone.aborted).toBe(true);
    const next = await pool.acquire(PLAIN, LIFE_MS);
    expect(next.gone.aborted).toBe(false);
    pool.release(lease, true);
    expect(pool.stats()).toMatchObject({ leasedSlots: 1, totals: { lostSandboxes: 1 } });
  });

  it('that cannot be started tell those who wait why, and are tried again by the next', async () => {
    const inner = new FakeInner();
    inner.failure = new SandboxError('IMAGE_NOT_FOUND', 'request', 'no such image');
    expect(await codeOf(inner.pool.acquire(PLAIN, LIFE_MS))).toBe('IMAGE_NOT_FOUND');
    inner.failure = null;
    await inner.pool.acquire(PLAIN, LIFE_MS);
  });

  it('of another kind make room when they are not used, or after their last lease', async () => {
    const { pool, hosts } = new FakeInner({ maxSandboxes: 1 });
    const plain = await pool.acquire(PLAIN, LIFE_MS);
    const other = pool.acquire(OTHER, LIFE_MS);
    const plainAgain = pool.acquire(PLAIN, LIFE_MS);
    expect(await settledValue(Promise.race([other, plainAgain]))).toBeNull();
    pool.release(plain, true);
    pool.release(await other, true);
    await plainAgain;
    expect(hosts.map(({ kind }) => kind.key)).toEqual(['plain', 'other', 'plain']);
  });

  it('take no lease that they would not outlive', async () => {
    const { pool, hosts } = new FakeInner({ maxSandboxes: 2 });
    await pool.acquire(PLAIN, LIFE_MS);
    await pool.acquire(PLAIN, 2 * 3_600_000);
    expect(hosts).toHaveLength(2);
  });
});

describe('an inner provider that does not answer', () => {
  it('is given up at the deadline: who waits is told why, and another try has its place', async () => {
    const inner = new FakeInner({ maxSandboxes: 1 });
    const { promise, resolve: start } = deferred();
    inner.starting = promise;
    const waiting = inner.pool.acquire(PLAIN, LIFE_MS).catch((error: Error) => error.message);
    await inner.clock.pass(20_000);
    expect(await waiting).toContain('start an inner sandbox: it was not there within 20 s');
    expect(inner.pool.stats().startingSandboxes).toBe(0);
    inner.starting = Promise.resolve();
    await inner.pool.acquire(PLAIN, LIFE_MS);
    start();
    await settled();
    expect(inner.hosts.map((host) => host.isDisposed())).toEqual([false, true]);
  });

  it('does not keep a pool from its end', async () => {
    const inner = new FakeInner();
    inner.starting = new Promise(() => undefined);
    const waiting = codeOf(inner.pool.acquire(PLAIN, LIFE_MS));
    await settled();
    const closing = inner.pool.close();
    expect(await waiting).toBe('CANCELLED');
    await settled();
    await inner.clock.pass(30_000);
    await closing;
  });
});

it('a closed pool ends what it has started and what starts, and gives nothing', async () => {
  const inner = new FakeInner({ slotsPerSandbox: 1 });
  await inner.pool.acquire(PLAIN, LIFE_MS);
  const { promise, resolve: start } = deferred();
  inner.starting = promise;
  const waiting = codeOf(inner.pool.acquire(PLAIN, LIFE_MS));
  await settled();
  const closing = inner.pool.close();
  start();
  await closing;
  expect(await waiting).toBe('CANCELLED');
  expect(inner.hosts.map((host) => host.isDisposed())).toEqual([true, true]);
  expect(await codeOf(inner.pool.acquire(PLAIN, LIFE_MS))).toBe('CANCELLED');
});
