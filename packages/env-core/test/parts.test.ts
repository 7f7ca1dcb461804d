import { getEventListeners } from 'node:events';
import type { RolloutEvent } from '@hermes/protocol';
import { fakeClock } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { createAlarms } from '../src/_alarms.ts';
import { openScope } from '../src/_deadline.ts';
import { createModelLimiter } from '../src/_model-limiter.ts';
import { seededRandom } from '../src/_seeded-random.ts';
import { createEffects, createLimiter, trialKey } from '../src/index.ts';
import { deferred, trialOf } from './_support/harness.ts';

it('lets waiting work start first come first served, and tells how many wait', async () => {
  const limiter = createLimiter(1);
  const order: number[] = [];
  const gate = deferred<void>();
  const first = limiter.run(() => gate.promise);
  const others = [1, 2, 3].map((number) => limiter.run(async () => void order.push(number)));
  expect(limiter.stats()).toMatchObject({ running: 1, queued: 3 });
  gate.resolve();
  await Promise.all([first, ...others]);
  expect(order).toEqual([1, 2, 3]);
  expect(limiter.stats()).toEqual({ running: 0, queued: 0, longestWaitMs: 0 });
});

it('puts one listener on a signal, however many wait for a place, a sleep or a scope on it', async () => {
  const { signal } = new AbortController();
  const limiter = createLimiter(1);
  const { clock } = createEffects();
  const gate = deferred<void>();
  const ended = Array.from({ length: 50 }, () => limiter.run(() => gate.promise, signal));
  const scopes = Array.from({ length: 50 }, () => openScope(signal));
  const sleeps = Array.from({ length: 50 }, () => clock.sleep(1, signal));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  gate.resolve();
  for (const scope of scopes) scope.close();
  await Promise.all([...ended, ...sleeps]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('tells every wait on one signal that it fired', async () => {
  const controller = new AbortController();
  const limiter = createLimiter(1);
  const { clock } = createEffects();
  const gate = deferred<void>();
  const first = limiter.run(() => gate.promise);
  const scopes = [openScope(controller.signal), openScope(controller.signal)];
  const waits = [
    limiter.run(async () => 1, controller.signal),
    limiter.run(async () => 2, controller.signal),
    clock.sleep(60_000, controller.signal),
  ];
  controller.abort('over');
  for (const wait of waits)
    await expect(wait).rejects.toMatchObject({ code: 'CANCELLED', cause: 'over' });
  expect(scopes.map((scope) => scope.signal.reason)).toEqual(['over', 'over']);
  gate.resolve();
  await first;
});

it('rings alarms in the order of their times, on one sleep of the clock', async () => {
  const clock = fakeClock();
  const alarms = createAlarms(clock);
  const rung: string[] = [];
  for (const [name, ms] of Object.entries({ first: 10, third: 30, never: 20, second: 20 })) {
    const callOff = alarms.setIn(ms, () => rung.push(`${name} at ${clock.now().monoMs}`));
    if (name === 'never') callOff();
  }
  expect(clock.sleeping()).toBe(1);
  await clock.advance(100);
  expect(rung).toEqual(['first at 10', 'second at 20', 'third at 30']);
  expect(clock.sleeping()).toBe(0);
});

it('rings an alarm in time that is set while a later one is waited for', async () => {
  const clock = fakeClock();
  const alarms = createAlarms(clock);
  const rung: string[] = [];
  alarms.setIn(1_000, () => rung.push('late'));
  alarms.setIn(10, () => rung.push('early'));
  await clock.advance(10);
  expect(rung).toEqual(['early']);
});

it('leaves no sleep behind when alarms are closed, and rings none of them', async () => {
  const clock = fakeClock();
  const alarms = createAlarms(clock);
  const rung: string[] = [];
  alarms.setIn(10, () => rung.push('closed'));
  alarms.close();
  expect(clock.sleeping()).toBe(0);
  await clock.advance(100);
  expect(rung).toEqual([]);
});

it('rejects work whose signal fires while it waits, and frees no place that was not taken', async () => {
  const limiter = createLimiter(1);
  const gate = deferred<void>();
  const first = limiter.run(() => gate.promise);
  const controller = new AbortController();
  const waiting = limiter.run(async () => 1, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
  gate.resolve();
  await first;
  await expect(limiter.run(() => Promise.reject(new Error('own')))).rejects.toThrow('own');
  expect(limiter.stats()).toMatchObject({ running: 0, queued: 0 });
});

it.each([0, -1, Number.NaN])('refuses a limit of %d', (limit) => {
  expect(() => createLimiter(limit)).toThrow('A limit must be a number from 1');
});

function attemptEnd(statusCode: number, startedMs: number): RolloutEvent {
  const at = { wallMs: startedMs, monoMs: startedMs };
  const error =
    statusCode === 200
      ? null
      : { boundary: 'model', code: 'RATE_LIMIT', message: '', retryable: true };
  return {
    type: 'model_attempt_end',
    attempt: { statusCode, startedAt: at, error },
  } as RolloutEvent;
}

it('halves the model calls on a 429, once for all calls that were under way, and recovers', async () => {
  const clock = fakeClock();
  const { limiter, watch } = createModelLimiter(8, clock);
  const running = () => limiter.stats().running;
  const gates = Array.from({ length: 8 }, () => deferred<void>());
  await clock.advance(10);
  for (const startedMs of [1, 2, 3]) watch(attemptEnd(429, startedMs));
  const works = gates.map((gate) => limiter.run(() => gate.promise));
  expect(running()).toBe(4);
  for (let call = 0; call < 40; call += 1) watch(attemptEnd(200, 20));
  expect(running()).toBe(8);
  for (const gate of gates) gate.resolve();
  await Promise.all(works);
});

it('names a trial by its content, whatever the order of keys', () => {
  const { identity } = trialOf();
  const reversed = Object.fromEntries(Object.entries(identity).reverse()) as typeof identity;
  expect(trialKey(reversed)).toBe(trialKey(identity));
  expect(trialKey(identity)).toMatch(/^[0-9a-f]{64}$/);
  expect(trialKey({ ...identity, attempt: 1 })).not.toBe(trialKey(identity));
});

it('draws the same numbers from the same seed, and forks that do not depend on what was drawn', () => {
  const draw = (random = seededRandom('7')) => Array.from({ length: 5 }, () => random.next());
  expect(draw()).toEqual(draw());
  const used = seededRandom('7');
  used.next();
  expect(used.fork('a').next()).toBe(seededRandom('7').fork('a').next());
  expect(used.fork('a').next()).not.toBe(used.fork('b').next());
  const many = seededRandom('mean');
  const mean = Array.from({ length: 10_000 }, () => many.next()).reduce((a, b) => a + b) / 10_000;
  expect(mean).toBeGreaterThan(0.48);
  expect(mean).toBeLessThan(0.52);
});

it('makes ids that nobody else has, and a clock whose sleep can be cancelled', async () => {
  const { newId, clock } = createEffects();
  expect(newId('call')).toMatch(/^call_[0-9a-f]{24}$/);
  const controller = new AbortController();
  const sleep = clock.sleep(3_600_000, controller.signal);
  controller.abort();
  await expect(sleep).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(clock.sleep(1, controller.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  await clock.sleep(0);
});
