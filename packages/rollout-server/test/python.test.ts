import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Sampling } from '@hermes/protocol';
import { pythonCommand } from '@hermes/vitest-config/services';
import { expect, it } from 'vitest';
import { openServer, plainDefinition, scripted } from './_server.ts';

const run = promisify(execFile);
const shim = fileURLToPath(new URL('../python', import.meta.url));
const trainers = fileURLToPath(new URL('./_trainers.py', import.meta.url));

it('gives verl, SkyRL, TRL and slime their shapes through the Python shim', async () => {
  const { url, body, sampled } = await openForTrainers();
  const { stdout } = await run(pythonCommand, [trainers, shim, 'item-1', 'item-2'], {
    env: { ...process.env, ...url, HERMES_ROLLOUTS_BODY: body, HERMES_ROLLOUTS_TOKEN: 'secret' },
  });
  const { verl, skyrl, trl, slime, ...others } = JSON.parse(stdout);

  expect(Object.keys(verl).sort()).toEqual(VERL_KEYS);
  expectSequence(verl.response_ids, verl.response_mask, verl.response_logprobs);
  expect(verl).toMatchObject({ reward_score: 1, num_turns: 4 });

  expect(skyrl).toMatchObject({ rewards: [1, 1], stop_reasons: ['stop', 'stop'] });
  expect(skyrl.prompt_token_ids).toHaveLength(2);
  for (const index of [0, 1])
    expectSequence(
      skyrl.response_ids[index],
      skyrl.loss_masks[index],
      skyrl.rollout_logprobs[index],
    );

  expect(trl.env_reward).toEqual([1, 1, 1]);
  expect(others.trl_reward).toEqual([1, 1, 1]);
  expect(trl.prompt_ids).toHaveLength(3);
  for (const index of [0, 1, 2])
    expectSequence(trl.completion_ids[index], trl.env_mask[index], trl.logprobs[index]);

  expect(slime).toMatchObject({ status: 'completed', reward: 1, response: 'right' });
  expect(slime.weight_versions).toEqual(['weights-1']);
  expect(slime.tokens.slice(-slime.response_length)).toEqual(verl.response_ids);
  expect(slime.response_length).toBe(slime.loss_mask.length);
  expectSequence(verl.response_ids, slime.loss_mask, slime.rollout_log_probs);

  const fromTrl = { temperature: 0.5, maxTokens: 64 };
  expect(new Set(sampled.map((one) => JSON.stringify(one)))).toEqual(
    new Set([fromTrl, { ...fromTrl, stop: ['END'] }].map((one) => JSON.stringify(one))),
  );

  // what failed is never a reward of 0
  expect(others.slime_broken).toMatchObject({
    status: 'failed',
    reward: null,
    remove_sample: true,
  });
  expect(others.verl_broken).toContain('reward_threw');
  expect(others.verl_unknown).toContain('there is no none');
});

const VERL_KEYS = [
  'extra_fields',
  'metrics',
  'num_turns',
  'prompt_ids',
  'response_ids',
  'response_logprobs',
  'response_mask',
  'reward_score',
];

function expectSequence(ids: number[], mask: number[], logprobs: number[]): void {
  expect(new Set(mask)).toEqual(new Set([0, 1]));
  expect([mask.length, logprobs.length]).toEqual([ids.length, ids.length]);
  for (const [index, sampled] of mask.entries()) expect(logprobs[index] === 0).toBe(sampled === 0);
}

/**
 * A server behind a token, whose last item cannot be scored and whose model wants to be named. Its rollouts have a tool call, so that their
 * masks have both kinds.
 */
async function openForTrainers() {
  const sampled: Sampling[] = [];
  const answers = scripted(({ sampling }, _context, call) => {
    sampled.push(sampling);
    return call === 0 ? { calls: [{ name: 'none' }] } : 'right';
  });
  const definition = plainDefinition({
    computeReward: async ({ id }) => {
      if (id === 'item-2') throw new Error('no verdict');
      return 1;
    },
  });
  const { server } = await openServer({
    token: 'secret',
    environments: [{ definition, config: {} }],
    openModel: (model) => {
      expect(model).toEqual({ name: 'policy' });
      return answers(model);
    },
  });
  const body = JSON.stringify({ environment: 'plain', model: { name: 'policy' } });
  return { url: { HERMES_ROLLOUTS_URL: server.baseUrl }, body, sampled };
}
