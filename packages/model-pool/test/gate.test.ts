import { createLimiter } from '@hermes/env-core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCallGate } from '../src/call-gate.ts';
import { never, outcome, settle } from './_pool.ts';

type Split = 'train' | 'eval';

/** A gate whose calls end when the test says so. */
function openGate(limit: number, options: Readonly<{ evalShare?: number; slots?: number }> = {}) {
  const inner = createLimiter(options.slots ?? 1000);
  const gate = createCallGate(inner, limit, options.evalShare ?? 0, () => 0);
  const running: (() => void)[] = [];
  const started: string[] = [];
  const run = (name: string, split: Split = 'train', signal = never): Promise<unknown> => {
    const work = () =>
      new Promise<void>((resolve) => {
        started.push(name);
        running.push(resolve);
      });
    return gate.limiter(split).run(work, signal);
  };
  const endFirst = async (): Promise<void> => {
    running.shift()?.();
    await settle();
  };
  const endAll = async (): Promise<void> => {
    await settle();
    while (running.length > 0) await endFirst();
  };
  return { gate, running, started, run, endFirst, endAll };
}

it('lets calls in first come first served', async () => {
  const { started, run, endAll } = openGate(1);
  const names = ['a', 'b', 'c', 'd'];
  const all = names.map((name) => run(name));
  await endAll();
  await Promise.all(all);
  expect(started).toEqual(names);
});

it('gives eval its share while train waits, too, and all of the slots when it does not', async () => {
  const { started, run, endAll } = openGate(1, { evalShare: 0.25 });
  const all = [
    ...Array.from({ length: 8 }, (_, index) => run(`t${index}`)),
    ...Array.from({ length: 4 }, (_, index) => run(`e${index}`, 'eval')),
  ];
  await endAll();
  await Promise.all(all);
  // the first was alone; then every fourth turn is eval's; the last ones have nobody to share with
  expect(started.join(' ')).toBe('t0 t1 t2 t3 e0 t4 t5 t6 e1 t7 e2 e3');
});

it('lets a call leave while it waits', async () => {
  const { started, run, endAll, gate } = openGate(1);
  const stop = new AbortController();
  const first = run('a');
  const second = outcome(run('b', 'train', stop.signal));
  const third = run('c');
  stop.abort();
  expect(await second).toBe('CANCELLED');
  await endAll();
  await Promise.all([first, third]);
  expect(started).toEqual(['a', 'c']);
  expect(gate.stats()).toEqual({ running: 0, queued: 0, longestWaitMs: 0 });
});

it('frees the slot of a call that fails', async () => {
  const limiter = openGate(1).gate.limiter('train');
  const fail = () => Promise.reject(new Error('no luck'));
  await expect(limiter.run(fail)).rejects.toThrow('no luck');
  expect(await limiter.run(async () => 'next')).toBe('next');
});

it('starts nothing while it is shut, not even what its inner limiter held back', async () => {
  const { gate, started, run, endFirst, endAll } = openGate(8, { slots: 1 });
  const all = ['a', 'b', 'c'].map((name) => run(name));
  await settle();
  gate.setOpen(false);
  await endFirst();
  expect(started).toEqual(['a']);
  gate.setOpen(true);
  await settle();
  expect(started).toEqual(['a', 'b']);
  await endAll();
  await Promise.all(all);
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant('call' as const),
    split: fc.constantFrom<Split>('train', 'eval'),
  }),
  fc.record({ kind: fc.constant('end' as const) }),
  fc.record({ kind: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('open' as const), isOpen: fc.boolean() }),
);

it('is never above its limit, and loses no call, whatever the order of events', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const { gate, running, started, run, endFirst, endAll } = openGate(2, { evalShare: 0.3 });
    const all: Promise<unknown>[] = [];
    let highest = 2;
    for (const each of steps) {
      if (each.kind === 'call') all.push(run(`c${all.length}`, each.split));
      if (each.kind === 'end') await endFirst();
      if (each.kind === 'open') gate.setOpen(each.isOpen);
      if (each.kind === 'limit') {
        gate.setLimit(each.limit);
        highest = Math.max(highest, each.limit);
      }
      expect(running.length).toBeLessThanOrEqual(highest);
    }
    gate.setOpen(true);
    await endAll();
    await Promise.all(all);
    expect(new Set(started).size).toBe(all.length);
    expect(gate.stats()).toEqual({ running: 0, queued: 0, longestWaitMs: 0 });
  });
  await fc.assert(property, { numRuns: 100 });
});
