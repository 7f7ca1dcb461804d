import type { RolloutRecord } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { openServer, plainDefinition } from './_server.ts';
import { openSocket } from './_socket.ts';

const call = { function: { name: 'none', arguments: { a: 1 } } };

describe('a WebSocket', () => {
  it('plays an episode: each observation has what came since the last action, the last one the reward', async () => {
    const { server } = await openServer();
    const { send } = await openSocket(server);
    const first = await send({ type: 'reset', data: { item_id: 'item-1', episode_id: 'mine' } });
    expect(first).toEqual({
      type: 'observation',
      data: {
        observation: {
          episode_id: 'mine',
          item_id: 'item-1',
          messages: [{ role: 'user', content: 'Do item-1.' }],
          history_rewritten: false,
          tools: [],
          error: null,
          rewards: null,
        },
        reward: null,
        done: false,
      },
    });
    const second = await send({ type: 'step', data: { content: '', tool_calls: [call] } });
    expect(second.data).toMatchObject({ reward: null, done: false });
    const { messages, history_rewritten } = second.data.observation;
    expect([messages.length, messages[0].role, history_rewritten]).toEqual([1, 'tool', false]);
    const last = await send({ type: 'step', data: { content: 'right' } });
    expect(last.data).toMatchObject({
      observation: { messages: [], error: null },
      reward: 1,
      done: true,
    });
  });

  it('plays one episode after the other, with the next item each time; a seed names an item as well', async () => {
    const { server } = await openServer();
    const { send } = await openSocket(server);
    const items: string[] = [];
    for (const data of [{}, {}, {}, {}, { seed: 5 }])
      items.push((await send({ type: 'reset', data })).data.observation.item_id);
    expect(items).toEqual(['item-0', 'item-1', 'item-2', 'item-0', 'item-2']);
  });

  it('counts the items of each environment and split apart', async () => {
    const environments = ['a', 'b'].map((id) => ({
      definition: plainDefinition({}, id),
      config: {},
    }));
    const { server } = await openServer({ environments });
    const { send } = await openSocket(server);
    const reset = async (data: object) =>
      (await send({ type: 'reset', data })).data.observation.item_id;
    expect(await reset({ environment: 'a' })).toBe('item-0');
    expect(await reset({ environment: 'b' })).toBe('item-0');
    expect(await reset({ environment: 'a', index: 2 })).toBe('item-2');
    expect(await reset({ environment: 'a' })).toBe('item-1');
    expect(await reset({ environment: 'a', split: 'eval' })).toBe('item-0');
  });

  it('tells its state before, in and after an episode', async () => {
    const { server } = await openServer();
    const { send } = await openSocket(server);
    const state = async () => (await send({ type: 'state' })).data;
    expect(await state()).toMatchObject({ episode_id: null, step_count: 0, done: false });
    await send({ type: 'reset', data: { index: 2, episode_id: 'e' } });
    const known = { episode_id: 'e', environment: 'plain', item_id: 'item-2' };
    expect(await state()).toEqual({ ...known, step_count: 0, done: false });
    await send({ type: 'step', data: { content: 'wrong' } });
    expect(await state()).toEqual({ ...known, step_count: 1, done: true });
  });

  it('leaves the record of every episode with the sinks, a left one as cancelled', async () => {
    const records: RolloutRecord[] = [];
    const sinks = [{ record: async (record: RolloutRecord) => void records.push(record) }];
    const { server } = await openServer({ run: { sandboxes: null, sinks } });
    const { send } = await openSocket(server);
    await send({ type: 'reset' });
    await send({ type: 'reset' });
    await send({ type: 'step', data: { content: 'right' } });
    expect(records.map(({ status, identity }) => [status, identity.itemId])).toEqual([
      ['errored', 'item-0'],
      ['completed', 'item-1'],
    ]);
    expect(records[0]).toMatchObject({ errored: { reason: 'cancelled' } });
    expect(records[1]).toMatchObject({
      trainable: false,
      identity: { model: { provider: 'openenv' } },
    });
  });

  it('gives a rollout that cannot be scored no reward, and says why', async () => {
    const definition = plainDefinition({
      computeReward: () => Promise.reject(new Error('no verdict')),
    });
    const { server } = await openServer({ environments: [{ definition, config: {} }] });
    const { send } = await openSocket(server);
    await send({ type: 'reset' });
    const { data } = await send({ type: 'step', data: { content: 'right' } });
    expect(data).toMatchObject({
      observation: { error: { reason: 'verifier', cause: 'reward_threw' } },
      reward: null,
      done: true,
    });
  });
});

describe('HTTP', () => {
  it('plays an episode, named or not', async () => {
    const { ask } = await openServer();
    await ask('/reset', { item_id: 'item-1', episode_id: 'other' });
    const first = await ask('/reset', { item_id: 'item-0' });
    expect(first.body.observation).toMatchObject({ item_id: 'item-0', episode_id: 'default' });
    expect((await ask('/state?episode_id=other')).body).toMatchObject({ item_id: 'item-1' });
    const action = { content: 'right', metadata: {} };
    const last = await ask('/step', { action, timeout_s: 60, request_id: 'r1' });
    expect(last.body).toMatchObject({ reward: 1, done: true });
    const other = await ask('/step', { action: { content: 'wrong' }, episode_id: 'other' });
    expect(other.body).toMatchObject({ reward: 0, done: true });
    expect((await ask('/health')).body).toMatchObject({ status: 'healthy', sessions: 0 });
  });

  it('describes actions, observations and states, and the environment', async () => {
    const { ask } = await openServer();
    const { action, observation, state } = (await ask('/schema')).body;
    expect(Object.keys(action.properties)).toContain('tool_calls');
    expect(Object.keys(observation.properties)).toContain('messages');
    expect(Object.keys(state.properties)).toEqual(
      expect.arrayContaining(['episode_id', 'step_count']),
    );
    expect((await ask('/metadata')).body).toEqual({
      name: 'plain',
      description: 'Says a word.',
      version: '1.0.0',
    });
  });
});
