import { describe, expect, it } from 'vitest';
import { createTrajectoryClient, createTrajectoryServer, joinTrainer } from '../src/index.ts';
import {
  rawRequest,
  scoredGroup,
  startFakeTinker,
  startFakeTrainer,
} from '../src/testing/index.ts';
import { wireGroup } from './_support/wire-run.ts';

const signal = new AbortController().signal;
const registration = { name: 'x', maxTokens: 512, weight: 1, groupSize: 2, minBatchShare: null };

it('the fake trainer names what nobody could train on', async () => {
  await using server = await createTrajectoryServer({ port: 0 });
  const trainer = startFakeTrainer({ baseUrl: server.baseUrl, batchSize: 2, steps: 3 });
  await trainer.started;
  const good = wireGroup(1, 2) as Record<string, unknown>;
  const { inference_logprobs: _without, ...bare } = good;
  const bodies = [
    bare,
    {
      ...good,
      masks: [
        [-100, 7, 9],
        [-100, 7, 8],
      ],
    },
    {
      ...good,
      inference_logprobs: [
        [1, -0.5],
        [0, -1, -1],
      ],
    },
  ];
  for (const body of bodies) await rawRequest(server.baseUrl, { path: '/scored_data', body });
  const { problems, steps, sequences } = await trainer.done;
  expect({ steps, sequences }).toEqual({ steps: 3, sequences: 6 });
  expect([...problems].sort()).toEqual([
    'group 0, inference_logprobs are missing',
    'group 0, sequence 0: lengths 3, 3, 2',
    'group 0, sequence 0: mask 9 at 2',
    'group 0, sequence 1: log-prob 0 at 0',
  ]);
});

describe('the fake tinker', () => {
  const sample = (ids: readonly number[]) => ({
    ids: [ids.length, 2],
    logprobs: [-0.5, -0.25],
    text: 'yes',
  });

  it('answers 503 until it is initialised, then as tinker-atropos does', async () => {
    await using server = await createTrajectoryServer({ port: 0 });
    await using tinker = await startFakeTinker({ trajectoryUrl: server.baseUrl, sample });
    const generate = (sampling: object) =>
      rawRequest(tinker.baseUrl, {
        path: '/generate',
        body: { input_ids: [5, 6, 7], sampling_params: sampling },
      });
    expect((await generate({})).status).toBe(503);
    expect((await rawRequest(tinker.baseUrl, { path: '/health' })).status).toBe(200);
    await tinker.initialise();
    const one = {
      text: 'yes',
      output_ids: [3, 2],
      meta_info: {
        prompt_tokens: 3,
        completion_tokens: 2,
        finish_reason: 'stop',
        output_token_logprobs: [
          [-0.5, 3, null],
          [-0.25, 2, null],
        ],
      },
    };
    expect((await generate({})).body).toEqual(one);
    expect((await generate({ n: 2 })).body).toEqual([one, one]);
    const chat = { messages: [{ role: 'user', content: 'q' }], n: 2 };
    const answer = await rawRequest(tinker.baseUrl, { path: '/v1/chat/completions', body: chat });
    expect(answer.body).toMatchObject({
      choices: [{ message: { content: 'yes' } }, { message: { content: 'yes' } }],
    });
  });

  it('trains on what an environment sends: context is worth nothing, equal scores teach nothing', async () => {
    await using server = await createTrajectoryServer({ port: 0 });
    await using tinker = await startFakeTinker({
      trajectoryUrl: server.baseUrl,
      batchSize: 4,
      steps: 1,
      sample,
    });
    await tinker.initialise();
    const client = createTrajectoryClient({ baseUrl: server.baseUrl });
    const { environmentId } = await joinTrainer(client, registration, { signal });
    const group = scoredGroup('a', 2, { tokens: 3 });
    const equal = {
      ...scoredGroup('b', 2),
      sequences: scoredGroup('b', 2).sequences.map((sequence) => ({ ...sequence, score: 1 })),
    };
    await client.send(environmentId, [group, equal], signal);
    expect(await tinker.trained).toMatchObject({ steps: 1, problems: [] });
    expect(tinker.data).toEqual(
      group.sequences.map(({ tokens, logprobs, score }) => ({
        inputs: tokens.slice(0, -1),
        targets: tokens.slice(1),
        logprobs: logprobs.slice(1),
        advantages: [score - 0.5, score - 0.5],
      })),
    );
    client.close();
  });
});
