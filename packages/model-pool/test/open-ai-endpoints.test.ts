import { createLimiter, type OpenModel } from '@hermes/env-core';
import { createOpenAiModel } from '@hermes/model-openai';
import {
  type FakeOpenAiServer,
  type FakeServerScript,
  rateLimited,
  startFakeOpenAiServer,
} from '@hermes/model-openai/testing';
import type { ChatModel } from '@hermes/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { createModelPool, openAiProbe, openPooledModel } from '../src/index.ts';
import { callContext, never } from './_pool.ts';

async function startServer(answers: FakeServerScript['answers']): Promise<FakeOpenAiServer> {
  const server = await startFakeOpenAiServer({ answers });
  onTestFinished(() => server.close());
  return server;
}

function openEndpoints(servers: readonly FakeOpenAiServer[], settings = {}) {
  const members = servers.map(({ baseUrl }) => ({
    id: baseUrl,
    model: createOpenAiModel({ baseUrl, model: 'm', retryDelayMs: 1, ...settings }),
    limiter: createLimiter(16),
    probe: openAiProbe(baseUrl),
  }));
  const pool = createModelPool(members);
  onTestFinished(() => pool.close());
  const open: OpenModel = ({ rolloutId }) => openPooledModel(pool, rolloutId);
  return { pool, open };
}

/** One call of a rollout, through what the runner would be given. */
async function ask(open: OpenModel, rolloutId: string): Promise<string> {
  const model: ChatModel = await open({ rolloutId } as Parameters<OpenModel>[0]);
  let text = '';
  const request = { messages: [{ role: 'user', content: rolloutId } as const], sampling: {} };
  for await (const event of model.chat(request, callContext(rolloutId, 'eval', never))) {
    if (event.type === 'result') text = String(event.result.message.content);
  }
  return text;
}

it('shares the rollouts of a run among several endpoints', async () => {
  const servers = [await startServer(() => 'one'), await startServer(() => 'two')];
  const { open, pool } = openEndpoints(servers);
  const rollouts = Array.from({ length: 20 }, (_, index) => `r${index}`);
  const answers = await Promise.all(rollouts.map((rollout) => ask(open, rollout)));
  expect(answers.filter((answer) => answer === 'one')).toHaveLength(10);
  const again = await Promise.all(rollouts.map((rollout) => ask(open, rollout)));
  expect(again).toEqual(answers);
  expect(pool.stats()['server/server_1_eval_retry_rate']).toBe(1);
});

it('goes on with the endpoint that is left when the other one is gone', async () => {
  const servers = [await startServer(() => 'one'), await startServer(() => 'two')];
  const { open, pool } = openEndpoints(servers, { maxAttempts: 1 });
  expect(await ask(open, 'r1')).toBe('one');
  await servers[0]?.close();
  const failed = await Promise.allSettled([1, 2, 3].map(() => ask(open, 'r1')));
  expect(failed.map((each) => each.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(pool.stats()['server/server_0_healthy']).toBe(0);
  expect(await ask(open, 'r1')).toBe('two');
});

it('asks an endpoint that says 429 for less at once, and gets every answer', async () => {
  let requests = 0;
  const busy = await startServer(() => {
    requests += 1;
    return requests % 2 === 0 ? rateLimited(0) : 'fine';
  });
  const { open, pool } = openEndpoints([busy], { maxAttempts: 20 });
  const rollouts = Array.from({ length: 30 }, (_, index) => `r${index}`);
  const answers = await Promise.all(rollouts.map((rollout) => ask(open, rollout)));
  expect(answers).toEqual(Array(30).fill('fine'));
  expect(pool.stats()['server/server_0_limit']).toBeLessThan(8);
});
