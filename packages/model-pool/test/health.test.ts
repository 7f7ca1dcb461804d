import type { ModelErrorCode } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { call, never, openPool, outcome, type PoolTest, settle } from './_pool.ts';

/** A probe that answers what the test says. */
function handProbe(isWell: boolean) {
  const state = { isWell, asked: 0 };
  const probe = async (): Promise<boolean> => {
    state.asked += 1;
    return state.isWell;
  };
  return { state, probe };
}

async function open({ pool }: PoolTest, rolloutId: string): Promise<string> {
  return (await pool.open(rolloutId, 'train', never)).id;
}

it('gives nothing to an endpoint that its probe calls unwell', async () => {
  const test = openPool([
    { id: 'a', probe: handProbe(false).probe },
    { id: 'b', probe: handProbe(true).probe },
  ]);
  expect([await open(test, 'r1'), await open(test, 'r2')]).toEqual(['b', 'b']);
});

it('waits with the first rollouts until every endpoint has been asked', async () => {
  let answer = (_isWell: boolean): void => undefined;
  const slow = () =>
    new Promise<boolean>((resolve) => {
      answer = resolve;
    });
  const test = openPool([
    { id: 'a', probe: handProbe(true).probe },
    { id: 'b', probe: slow },
  ]);
  const opening = ['r1', 'r2', 'r3', 'r4'].map((rollout) => open(test, rollout));
  await settle();
  expect(test.pool.stats()['pool/waiting']).toBe(4);
  answer(true);
  expect(await Promise.all(opening)).toEqual(['a', 'b', 'a', 'b']);
});

it('asks as often as it is told, and forgives one missed answer', async () => {
  const { state, probe } = handProbe(true);
  const test = openPool([{ id: 'a', probe }], { healthEveryMs: 1000 });
  const { pool, clock, logger } = test;
  await open(test, 'r1');
  state.isWell = false;
  await clock.advance(1000);
  expect(await open(test, 'r2')).toBe('a');
  await clock.advance(1000);
  expect(pool.stats()['server/server_0_healthy']).toBe(0);
  state.isWell = true;
  await clock.advance(1000);
  expect(pool.stats()['server/server_0_healthy']).toBe(1);
  expect(state.asked).toBe(4);
  expect(logger.entries.map((entry) => entry.message)).toEqual([
    'model endpoint a: is healthy',
    'model endpoint a: does not answer its health check',
    'model endpoint a: is healthy',
  ]);
});

it.each([
  ['throws', () => Promise.reject(new Error('refused'))],
  ['throws at once', () => JSON.parse('nonsense')],
  ['hangs', () => new Promise<boolean>(() => undefined)],
])('takes a probe that %s for a no, and asks again', async (_what, first) => {
  let asked = 0;
  const probe = (): Promise<boolean> => {
    asked += 1;
    return asked === 1 ? first() : Promise.resolve(true);
  };
  const test = openPool([{ id: 'a', probe }], { healthEveryMs: 1000 });
  const opening = open(test, 'r1');
  await settle();
  expect(test.pool.stats()['server/server_0_healthy']).toBe(0);
  await test.clock.advance(6000);
  expect(await opening).toBe('a');
});

it('waits first come first served while no endpoint is healthy', async () => {
  const { state, probe } = handProbe(false);
  const { pool, clock } = openPool([{ id: 'a', probe }], { healthEveryMs: 1000 });
  const order: string[] = [];
  const waits = ['r1', 'r2', 'r3'].map(async (rollout) => {
    await pool.open(rollout, 'train', never);
    order.push(rollout);
  });
  await clock.advance(1000);
  expect(pool.stats()).toMatchObject({ 'pool/waiting': 3, 'pool/longest_wait_ms': 1000 });
  state.isWell = true;
  await clock.advance(1000);
  await Promise.all(waits);
  expect(order).toEqual(['r1', 'r2', 'r3']);
});

it('does not wait for ever: it names the endpoints', async () => {
  const { probe } = handProbe(false);
  const { pool, clock } = openPool([{ id: 'a', probe }], { maxWaitMs: 60_000 });
  const failure = expect(pool.open('r1', 'train', never)).rejects.toMatchObject({
    boundary: 'model',
    code: 'CONNECTION',
    message: 'No endpoint of the model pool was healthy for 60000 ms (a); see that they run',
  });
  await clock.advance(60_000);
  await failure;
});

it('stops waiting when it is told to', async () => {
  const { pool } = openPool([{ id: 'a', probe: handProbe(false).probe }]);
  const stop = new AbortController();
  const opening = outcome(pool.open('r1', 'train', stop.signal));
  await settle();
  stop.abort();
  expect(await opening).toBe('CANCELLED');
  expect(await outcome(pool.open('r2', 'train', stop.signal))).toBe('CANCELLED');
});

async function failCalls(test: PoolTest, count: number, code: ModelErrorCode): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const failing = outcome(call(test.pool, 'r1'));
    await settle();
    test.held[0]?.answer({ error: code });
    expect(await failing).toBe(code);
  }
}

it.each<ModelErrorCode>(['CONNECTION', 'TIMEOUT', 'SERVER', 'STREAM_CUT'])(
  'leaves an endpoint alone after three calls in a row with %s',
  async (code) => {
    const test = openPool([{ id: 'a' }, { id: 'b' }]);
    await failCalls(test, 2, code);
    expect(await open(test, 'r1')).toBe('a');
    await failCalls(test, 1, code);
    expect(await open(test, 'r1')).toBe('b');
    expect(test.logger.entries[0]?.message).toBe(
      `model endpoint a: 3 calls failed in a row (${code})`,
    );
  },
);

it.each<ModelErrorCode>(['BAD_REQUEST', 'CONTEXT_OVERFLOW', 'AUTH', 'BAD_RESPONSE'])(
  'does not blame an endpoint for %s',
  async (code) => {
    const test = openPool([{ id: 'a' }, { id: 'b' }]);
    await failCalls(test, 5, code);
    expect(await open(test, 'r1')).toBe('a');
  },
);

it('tries an endpoint without a probe again after its cool-down, with a single call', async () => {
  const test = openPool([{ id: 'a' }], { coolDownMs: 10_000 });
  await failCalls(test, 3, 'CONNECTION');
  const waiting = [1, 2, 3].map((index) => call(test.pool, `w${index}`));
  await settle();
  expect(test.held).toHaveLength(0);
  await test.clock.advance(10_000);
  await settle();
  expect(test.held).toHaveLength(1);
  for (let index = 0; index < 3; index += 1) {
    test.held[0]?.answer('fine');
    await settle();
  }
  expect(await Promise.all(waiting)).toEqual(['fine', 'fine', 'fine']);
});

it('sends it away again after one more failure', async () => {
  const test = openPool([{ id: 'a' }, { id: 'b' }], { coolDownMs: 10_000 });
  await failCalls(test, 3, 'CONNECTION');
  await test.clock.advance(10_000);
  test.pool.release('r1');
  await failCalls(test, 1, 'CONNECTION');
  expect(test.pool.stats()['server/server_0_healthy']).toBe(0);
});

it('moves a call that waits for a slot to another endpoint when its own goes down', async () => {
  const test = openPool([{ id: 'a' }, { id: 'b' }]);
  const failing = Array.from({ length: 8 }, () => outcome(call(test.pool, 'r1')));
  await settle();
  const waiting = Array.from({ length: 4 }, () => call(test.pool, 'r1'));
  await settle();
  expect(test.held.map((each) => each.endpoint)).toEqual(Array(8).fill('a'));
  for (const each of test.held.slice(0, 3)) each.answer({ error: 'CONNECTION' });
  await settle();
  // two of the slots that got free were taken before the third failure
  const moved = test.held.filter((each) => each.endpoint === 'b').length;
  expect(moved).toBeGreaterThanOrEqual(1);
  for (const each of [...test.held]) each.answer(each.endpoint);
  expect(await Promise.all(waiting)).toContain('b');
  await Promise.all(failing);
});
