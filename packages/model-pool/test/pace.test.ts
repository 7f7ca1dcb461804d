import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPace } from '../src/pace.ts';
import { call, openPool, outcome, settle } from './_pool.ts';

it('begins slowly, and doubles with every full round', async () => {
  const { pool, held } = openPool([{ id: 'a' }]);
  const calls = Array.from({ length: 60 }, (_, index) => call(pool, `r${index}`));
  await settle();
  const rounds: number[] = [];
  while (held.length > 0) {
    rounds.push(held.length);
    for (const each of [...held]) each.answer('fine');
    await settle();
  }
  expect(rounds).toEqual([8, 16, 32, 4]);
  expect(await Promise.all(calls)).toEqual(Array(60).fill('fine'));
});

it('never exceeds the limiter of an endpoint', async () => {
  const { pool, held } = openPool([{ id: 'a', slots: 3 }]);
  const calls = Array.from({ length: 9 }, (_, index) => call(pool, `r${index}`));
  await settle();
  for (let round = 0; round < 3; round += 1) {
    expect(held).toHaveLength(3);
    for (const each of [...held]) each.answer('fine');
    await settle();
  }
  await Promise.all(calls);
});

it('halves on a 429, once for all calls under way, and recovers by one a round', () => {
  const pace = createPace();
  for (let index = 0; index < 8; index += 1) pace.succeeded(true);
  expect(pace.limit()).toBe(16);
  for (const startedMs of [10, 20, 30]) pace.tooMany(startedMs, 16, 100);
  expect(pace.limit()).toBe(8);
  for (let index = 0; index < 8; index += 1) pace.succeeded(true);
  expect(pace.limit()).toBe(9);
  pace.tooMany(150, 9, 200);
  expect(pace.limit()).toBe(4);
});

it('does not raise a limit that nobody needs', () => {
  const pace = createPace();
  for (let index = 0; index < 100; index += 1) pace.succeeded(false);
  expect(pace.limit()).toBe(8);
});

it('begins with one call after an outage, and slows down at half of what was before', () => {
  const pace = createPace();
  pace.restart();
  expect(pace.limit()).toBe(1);
  for (let index = 0; index < 3; index += 1) pace.succeeded(true);
  expect(pace.limit()).toBe(4);
  pace.succeeded(true);
  expect(pace.limit()).toBe(4);
});

it('keeps at least one call, whatever happens', () => {
  const event = fc.constantFrom('ok', 'unneeded', 'tooMany', 'restart');
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const pace = createPace();
      events.forEach((kind, ms) => {
        if (kind === 'tooMany') pace.tooMany(ms, pace.limit(), ms);
        else if (kind === 'restart') pace.restart();
        else pace.succeeded(kind === 'ok');
        expect(pace.limit()).toBeGreaterThanOrEqual(1);
        expect(Number.isInteger(pace.limit())).toBe(true);
      });
    }),
  );
});

it('slows one endpoint down when it says 429, also where the model tried again by itself', async () => {
  const { pool, held } = openPool([{ id: 'a' }, { id: 'b' }]);
  const calls = Array.from({ length: 16 }, (_, index) => outcome(call(pool, `r${index}`)));
  await settle();
  expect(held).toHaveLength(16);
  for (const { endpoint, answer } of [...held]) {
    answer(endpoint === 'a' ? { failedAttempts: ['RATE_LIMIT'] } : 'fine');
  }
  expect(await Promise.all(calls)).toEqual(Array(16).fill('ok'));
  // halved from eight to four; the successes of the same round give at most one back
  expect(pool.stats()['server/server_0_limit']).toBeLessThanOrEqual(5);
  expect(pool.stats()['server/server_1_limit']).toBeGreaterThan(8);
});
