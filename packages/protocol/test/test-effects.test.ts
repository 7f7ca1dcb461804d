import { expect, it } from 'vitest';
import { fakeClock, seededRandom, testEffects } from '../src/testing/index.ts';

it('wakes sleepers in the order they fall due', async () => {
  const clock = fakeClock();
  const woken: string[] = [];
  const note = (name: string) => () => woken.push(`${name} at ${clock.now().monoMs}`);
  const sleeps = [
    clock.sleep(20).then(note('late')),
    clock.sleep(5).then(note('early')),
    clock.sleep(5).then(note('second')),
  ];
  await clock.advance(10);
  expect(woken).toEqual(['early at 5', 'second at 5']);
  await clock.advance(10);
  await Promise.all(sleeps);
  expect(woken).toHaveLength(3);
  expect(clock.now().wallMs - Date.UTC(2026, 0, 1)).toBe(20);
});

it('also wakes what begins to sleep while time moves on', async () => {
  const clock = fakeClock();
  let steps = 0;
  const walk = (async () => {
    for (; steps < 3; steps += 1) await clock.sleep(10);
  })();
  await clock.advance(30);
  await walk;
  expect(steps).toBe(3);
});

it('ends a sleep by its signal and forgets it', async () => {
  const clock = fakeClock();
  const controller = new AbortController();
  const sleep = clock.sleep(10, controller.signal);
  controller.abort();
  await expect(sleep).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(clock.sleep(10, controller.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(clock.sleeping()).toBe(0);
});

it('moves on by itself when asked to', async () => {
  const clock = fakeClock({ autoAdvance: true });
  await clock.sleep(500);
  expect(clock.now().monoMs).toBe(500);
});

it('draws the same numbers from the same seed, and forks alike whatever was drawn', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed).next);
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  const used = seededRandom(7);
  used.next();
  expect(used.fork('a').next()).toBe(seededRandom(7).fork('a').next());
  expect(used.fork('a').next()).not.toBe(used.fork('b').next());
});

it('draws evenly from [0, 1)', () => {
  const random = seededRandom(1);
  const numbers = Array.from({ length: 10_000 }, () => random.next());
  expect(numbers.every((value) => value >= 0 && value < 1)).toBe(true);
  const buckets = Array(10).fill(0);
  for (const value of numbers) buckets[Math.floor(value * 10)] += 1;
  expect(Math.min(...buckets)).toBeGreaterThan(850);
});

it('gives effects that repeat', () => {
  const { newId, logger } = testEffects();
  expect([newId('call'), newId('run')]).toEqual([
    'call_000000000000000000000001',
    'run_000000000000000000000002',
  ]);
  logger.log('warn', 'careful', { a: 1 });
  expect(logger.entries).toEqual([{ level: 'warn', message: 'careful', fields: { a: 1 } }]);
});
