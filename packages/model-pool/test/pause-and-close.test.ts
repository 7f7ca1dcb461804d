import { expect, it } from 'vitest';
import { openPooledModel } from '../src/index.ts';
import { call, callContext, never, openPool, outcome, settle } from './_pool.ts';

it('starts no call while it is paused, lets running ones end, and goes on after', async () => {
  const { pool, held } = openPool([{ id: 'a' }]);
  const running = call(pool, 'r1');
  await settle();
  pool.pause();
  const waiting = [call(pool, 'r2'), call(pool, 'r1')];
  const opening = pool.open('r3', 'train', never);
  held[0]?.answer('old weights');
  expect(await running).toBe('old weights');
  await settle();
  expect(held).toHaveLength(0);
  expect(pool.stats()).toMatchObject({ 'pool/paused': 1, 'pool/waiting': 3 });
  pool.resume('step-7');
  await settle();
  expect(pool.weightVersion).toBe('step-7');
  for (const each of [...held]) each.answer('new weights');
  expect(await Promise.all(waiting)).toEqual(['new weights', 'new weights']);
  expect((await opening).id).toBe('a');
});

it('holds back a call that has its endpoint and waits only for a slot', async () => {
  const { pool, held } = openPool([{ id: 'a', slots: 1 }]);
  const calls = [call(pool, 'r1'), call(pool, 'r1')];
  await settle();
  pool.pause();
  held[0]?.answer('first');
  await settle();
  expect(held).toHaveLength(0);
  pool.resume(null);
  await settle();
  held[0]?.answer('second');
  expect(await Promise.all(calls)).toEqual(['first', 'second']);
});

it('does not count a pause as an outage', async () => {
  const { pool, clock } = openPool([{ id: 'a' }], { maxWaitMs: 1000 });
  pool.pause();
  const opening = pool.open('r1', 'train', never);
  await clock.advance(5000);
  pool.resume(null);
  expect((await opening).id).toBe('a');
});

it('ends everything when it is closed: probes, waits, calls in line and running calls', async () => {
  const probed: AbortSignal[] = [];
  const probe = (signal: AbortSignal): Promise<boolean> => {
    probed.push(signal);
    return probed.length === 1 ? Promise.resolve(true) : new Promise(() => undefined);
  };
  const { pool, held, clock } = openPool([
    { id: 'a', slots: 1 },
    { id: 'b', probe },
  ]);
  const calls = [1, 2, 3].map(() => outcome(call(pool, 'r1')));
  await clock.advance(5000);
  expect(held).toHaveLength(1);
  pool.pause();
  const opening = outcome(pool.open('r2', 'train', never));
  await settle();
  await pool.close();
  await pool.close();
  expect(await Promise.all([...calls, opening])).toEqual(Array(4).fill('CANCELLED'));
  expect(await outcome(pool.open('r3', 'train', never))).toBe('CANCELLED');
  expect(probed.map((signal) => signal.aborted)).toEqual([true, true]);
  await settle();
  expect(clock.sleeping()).toBe(0);
});

it('frees the slot of a call that is cancelled while it runs', async () => {
  const { pool, held } = openPool([{ id: 'a', slots: 1 }]);
  const stop = new AbortController();
  const left = outcome(call(pool, 'r1', 'train', stop.signal));
  await settle();
  stop.abort(new Error('enough'));
  await left;
  const next = call(pool, 'r2');
  await settle();
  held[0]?.answer('fine');
  expect(await next).toBe('fine');
});

it('frees the slot of a caller that stops listening, and ends the call', async () => {
  const { pool, held } = openPool([{ id: 'a', slots: 1 }]);
  const model = openPooledModel(pool, 'r1');
  const events = model.chat({ messages: [], sampling: {} }, callContext('r1'));
  const listening = (async () => {
    for await (const _event of events) break;
  })();
  await settle();
  held[0]?.answer('a long answer');
  await listening;
  const next = call(pool, 'r2');
  await settle();
  held[0]?.answer('fine');
  expect(await next).toBe('fine');
});
