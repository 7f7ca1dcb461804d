import type { RolloutRecord } from '@hermes/protocol';
import { memoryLogger, scriptedModel } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { openServer, plainDefinition, scripted, textOf } from './_server.ts';

describe('POST /rollouts', () => {
  it('gives back the tokens of the last segment, split at the first sampled one, and the reward', async () => {
    const { ask } = await openServer();
    const { status, body } = await ask('/rollouts', { item_id: 'item-1' });
    expect(status).toBe(200);
    const [rollout] = body.rollouts;
    expect(rollout).toMatchObject({
      status: 'completed',
      reward: 1,
      error: null,
      item_id: 'item-1',
      finish_reason: 'natural',
      num_turns: 1,
      agent_seconds: expect.any(Number),
      verify_seconds: expect.any(Number),
      trainable: true,
      weight_versions: ['weights-1'],
      segments: [{ opened_because: 'start' }],
    });
    expect(textOf(rollout.prompt_ids)).toContain('Do item-1.');
    expect(textOf(rollout.response_ids)).toContain('right');
    expect(rollout.response_mask).toEqual(rollout.response_ids.map(() => 1));
    expect(rollout.logprobs).toHaveLength(rollout.response_ids.length);
    expect(rollout.logprobs.every((value: number) => value < 0)).toBe(true);
  });

  it('masks what tools put between, with log-prob 0 there', async () => {
    const { ask } = await openServer({
      openModel: scripted([{ content: '', calls: [{ name: 'none' }] }, 'right']),
    });
    const [rollout] = (await ask('/rollouts', { index: 0 })).body.rollouts;
    expect(rollout.num_turns).toBe(2);
    const { response_mask: mask, logprobs } = rollout;
    expect(new Set(mask)).toEqual(new Set([0, 1]));
    for (const [index, sampled] of mask.entries())
      expect(logprobs[index] === 0).toBe(sampled === 0);
  });

  it('samples as the request says, and else as the run does', async () => {
    const asked: unknown[] = [];
    const { ask } = await openServer({
      openModel: scripted(({ sampling }) => {
        asked.push(sampling);
        return 'right';
      }),
      run: { sandboxes: null, sinks: [], sampling: { temperature: 1, topP: 0.9 } },
    });
    const sampling = { temperature: 0, top_k: 5, max_tokens: 7, stop: ['x'], min_p: 0.1, seed: 3 };
    await ask('/rollouts', { index: 0, sampling });
    expect(asked).toEqual([
      { temperature: 0, topP: 0.9, topK: 5, maxTokens: 7, stop: ['x'], minP: 0.1, seed: 3 },
    ]);
  });

  it('plays n attempts of one item', async () => {
    const { ask } = await openServer();
    const { rollouts } = (await ask('/rollouts', { index: 2, n: 3 })).body;
    expect(rollouts.map(({ item_id }) => item_id)).toEqual(['item-2', 'item-2', 'item-2']);
    expect(new Set(rollouts.map(({ rollout_id }) => rollout_id)).size).toBe(3);
  });

  it('takes a row where the environment reads rows, and says so where it does not', async () => {
    const itemFrom = ({ word }: object & { word?: unknown }) => ({ id: `row-${word}`, data: 0 });
    const definition = plainDefinition({ itemFrom });
    const { ask } = await openServer({ environments: [{ definition, config: {} }] });
    const [rollout] = (await ask('/rollouts', { row: { word: 'x' } })).body.rollouts;
    expect(rollout.item_id).toBe('row-x');
    const other = await openServer();
    expect((await other.ask('/rollouts', { row: {} })).body.error.code).toBe('row_unsupported');
  });

  it('has no tokens and is not trainable with a model that has text alone', async () => {
    const { ask } = await openServer({
      openModel: () => ({ provider: 'p', modelId: 'm', open: () => scriptedModel('right') }),
    });
    const [rollout] = (await ask('/rollouts', { index: 0 })).body.rollouts;
    expect(rollout).toMatchObject({ reward: 1, trainable: false, segments: [] });
    for (const key of [
      'prompt_ids',
      'response_ids',
      'response_mask',
      'logprobs',
      'weight_versions',
    ])
      expect(rollout[key]).toBeNull();
  });

  it('gives an errored rollout no reward and no tokens, with who is to blame', async () => {
    const definition = plainDefinition({
      computeReward: async () => {
        throw new Error('broken');
      },
    });
    const { ask } = await openServer({ environments: [{ definition, config: {} }] });
    const [rollout] = (await ask('/rollouts', { index: 0 })).body.rollouts;
    expect(rollout).toMatchObject({
      status: 'errored',
      reward: null,
      rewards: null,
      trainable: false,
      prompt_ids: null,
      error: { reason: 'verifier', cause: 'reward_threw' },
    });
  });

  it('hands each record to the sinks; one that fails costs the caller nothing', async () => {
    const told: string[] = [];
    const logger = memoryLogger();
    const sinks = [
      { record: () => Promise.reject(new Error('disk full')) },
      { record: async ({ rolloutId }: RolloutRecord) => void told.push(rolloutId) },
    ];
    const { ask } = await openServer({ effects: { logger }, run: { sandboxes: null, sinks } });
    const [rollout] = (await ask('/rollouts', { index: 0 })).body.rollouts;
    expect(told).toEqual([rollout.rollout_id]);
    expect(logger.entries.map(({ message }) => message)).toEqual([
      'A sink failed: Error: disk full',
    ]);
  });
});
