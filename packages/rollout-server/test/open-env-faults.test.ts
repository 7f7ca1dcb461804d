import { once } from 'node:events';
import { memoryLogger } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { openServer, plainDefinition } from './_server.ts';
import { openSocket } from './_socket.ts';

it.each([
  ['{"type":', 'INVALID_JSON', 'no JSON'],
  ['5', 'VALIDATION_ERROR', 'body'],
  ['{}', 'VALIDATION_ERROR', 'type'],
  [{ type: 'jump' }, 'UNKNOWN_TYPE', 'There is no message jump'],
  [{ type: 'reset', data: { sed: 1 } }, 'VALIDATION_ERROR', 'sed'],
  [{ type: 'reset', data: { index: 9 } }, 'VALIDATION_ERROR', 'there is no item 9'],
  [{ type: 'reset', data: { index: 1, item_id: 'item-1' } }, 'VALIDATION_ERROR', 'one item'],
  [{ type: 'reset', data: { environment: 'x' } }, 'VALIDATION_ERROR', 'There are: plain'],
  [{ type: 'step', data: { content: 'right' } }, 'SESSION_ERROR', 'reset first'],
  [{ type: 'step', data: { text: 'right' } }, 'VALIDATION_ERROR', 'text'],
  [{ type: 'step' }, 'VALIDATION_ERROR', 'body'],
])('%j is answered with %s, and the session goes on', async (message, code, text) => {
  const { server } = await openServer();
  const { send } = await openSocket(server);
  const { type, data } = await send(message);
  expect([type, data.code]).toEqual(['error', code]);
  expect(data.message).toContain(text);
  expect((await send({ type: 'reset' })).type).toBe('observation');
});

it('an action after the last observation is refused', async () => {
  const { server } = await openServer();
  const { send } = await openSocket(server);
  await send({ type: 'reset' });
  await send({ type: 'step', data: { content: 'right' } });
  const { data } = await send({ type: 'step', data: { content: 'right' } });
  expect(data).toMatchObject({ code: 'EXECUTION_ERROR' });
  expect(data.message).toContain('is over: reset it');
});

it.each([
  [
    'its items cannot be read',
    {
      items: () => {
        throw new Error('disk gone');
      },
    },
    'disk gone',
  ],
  [
    'its prompt fails',
    {
      prompt: () => {
        throw new Error('no words');
      },
    },
    'no words',
  ],
])(
  'an episode whose environment does not start, because %s, is FACTORY_ERROR',
  async (_why, changes, text) => {
    const logger = memoryLogger();
    const { server } = await openServer({
      environments: [{ definition: plainDefinition(changes), config: {} }],
      effects: { logger },
    });
    const { send } = await openSocket(server);
    const { data } = await send({ type: 'reset' });
    expect(data.code).toBe('FACTORY_ERROR');
    expect(data.message).toContain(text);
    expect(logger.entries.map(({ message }) => message).join()).toContain(text);
    const next = await send({ type: 'step', data: {} });
    expect(next.data.message).toContain('is over: reset it');
  },
);

it('a reset whose client is gone is no fault of the environment', async () => {
  const logger = memoryLogger();
  let dropped: () => void = () => undefined;
  const definition = plainDefinition({
    setupWorkspace: async (_item, _tools, signal) => {
      dropped();
      await once(signal, 'abort');
      throw new Error('cancelled');
    },
  });
  const { server, ask } = await openServer({
    environments: [{ definition, config: {} }],
    effects: { logger },
  });
  const { socket } = await openSocket(server);
  dropped = () => socket.terminate();
  socket.send(JSON.stringify({ type: 'reset' }));
  await once(socket, 'close');
  await expect.poll(async () => (await ask('/health')).body.sessions).toBe(0);
  await server.close();
  expect(logger.entries.filter(({ level }) => level === 'error')).toEqual([]);
});

it('a step over HTTP that takes too long ends its episode', async () => {
  const definition = plainDefinition({ computeReward: () => new Promise(() => undefined) });
  const { ask } = await openServer({ environments: [{ definition, config: {} }] });
  await ask('/reset', {});
  const { status, body } = await ask('/step', { action: { content: 'right' }, timeout_s: 0.03 });
  expect([status, body.error.code]).toEqual([504, 'timeout']);
  expect((await ask('/step', { action: { content: 'right' } })).body.error.code).toBe(
    'SESSION_ERROR',
  );
});

it('two actions at once are not mixed up: the second is refused', async () => {
  let judge = () => {};
  const asked = new Promise<void>((resolve) => {
    judge = resolve;
  });
  let verdict = (_reward: number) => {};
  const definition = plainDefinition({
    computeReward: () => {
      judge();
      return new Promise((resolve) => {
        verdict = resolve;
      });
    },
  });
  const { ask } = await openServer({ environments: [{ definition, config: {} }] });
  await ask('/reset', {});
  const first = ask('/step', { action: { content: 'right' } });
  await asked;
  const second = await ask('/step', { action: { content: 'wrong' } });
  expect(second.status).toBe(409);
  expect(second.body.error.message).toContain('is at work');
  verdict(1);
  expect((await first).body).toMatchObject({ reward: 1, done: true });
});

it('of two resets at once the later one stands, and nothing of the other is left', async () => {
  const { ask } = await openServer();
  const answers = await Promise.all([ask('/reset', { index: 0 }), ask('/reset', { index: 1 })]);
  expect(answers.map(({ status }) => status)).toContain(200);
  const { body } = await ask('/step', { action: { content: 'right' } });
  expect(body).toMatchObject({ reward: 1, done: true });
  expect((await ask('/health')).body).toMatchObject({ sessions: 0 });
});
