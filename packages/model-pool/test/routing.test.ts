import { expect, it } from 'vitest';
import { never, openPool, type PoolTest, settle } from './_pool.ts';

async function open({ pool }: PoolTest, ...rollouts: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const rollout of rollouts) ids.push((await pool.open(rollout, 'train', never)).id);
  return ids;
}

it('gives each new rollout the endpoint with the fewest', async () => {
  const test = openPool([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  expect(await open(test, 'r1', 'r2', 'r3', 'r4')).toEqual(['a', 'b', 'c', 'a']);
});

it('keeps a rollout at its endpoint', async () => {
  const test = openPool([{ id: 'a' }, { id: 'b' }]);
  expect(await open(test, 'r1', 'r2', 'r1', 'r2', 'r1')).toEqual(['a', 'b', 'a', 'b', 'a']);
});

it('shares the work by weight', async () => {
  const test = openPool([{ id: 'a', weight: 3 }, { id: 'b' }]);
  const ids = await open(test, ...Array.from({ length: 40 }, (_, index) => `r${index}`));
  expect(ids.filter((id) => id === 'a')).toHaveLength(30);
});

it('counts a released rollout no more, nor one that nobody has used for an hour', async () => {
  const test = openPool([{ id: 'a' }, { id: 'b' }]);
  await open(test, 'r1', 'r2', 'r3');
  test.pool.release('r1');
  test.pool.release('r3');
  expect(await open(test, 'r4')).toEqual(['a']);
  await test.clock.advance(3_600_000);
  expect(await open(test, 'r5', 'r6')).toEqual(['a', 'b']);
});

it('sends less to an endpoint whose calls have to wait', async () => {
  const test = openPool([{ id: 'a' }, { id: 'b' }]);
  const slow = await test.pool.open('r1', 'train', never);
  for (let index = 0; index < 12; index += 1) {
    slow.limiter.run(() => new Promise(() => undefined)).catch(() => undefined);
  }
  await settle();
  expect(await open(test, 'r2', 'r3', 'r4', 'r5')).toEqual(['b', 'b', 'b', 'b']);
});

it.each([
  [[], {}, /needs at least one endpoint/],
  [[{ id: 'a' }, { id: 'a' }], {}, /Two endpoints .* have the id "a"/],
  [[{ id: 'a', weight: 0 }], {}, /weight of the endpoint "a" must be above 0, not 0/],
  [[{ id: 'a' }], { evalShare: 2 }, /evalShare must be from 0 to 1, not 2/],
  [[{ id: 'a' }], { healthEveryMs: 0 }, /healthEveryMs must be above 0, not 0/],
])('refuses %j with %j', (members, options, message) => {
  expect(() => openPool(members, options)).toThrow(message);
});

it('asks no endpoint anything before it is used', async () => {
  const asked: string[] = [];
  const probe = async (): Promise<boolean> => asked.push('a') > 0;
  const test = openPool([{ id: 'a', probe }]);
  await settle();
  expect(asked).toEqual([]);
  await open(test, 'r1');
  expect(asked).toEqual(['a']);
});
