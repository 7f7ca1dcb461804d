import type { Clock, TokenEngine } from '@hermes/protocol';
import { fakeClock, testEffects } from '@hermes/protocol/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openTokenEngine } from '../src/index.ts';
import {
  type FakeEngineAnswer,
  type FakeEngineServer,
  startFakeEngineServer,
} from '../src/testing/index.ts';
import { unwrapAnswer } from '../src/wire/runpod-jobs.ts';
import { resultOf } from './_support/engines.ts';

const NATIVE = {
  text: '4',
  output_ids: [19, 151645],
  meta_info: {
    finish_reason: { type: 'stop', matched: 151645 },
    output_token_logprobs: [
      [-0.01, 19, null],
      [-0.5, 151645, null],
    ],
  },
};
const NATIVE_TEXT = JSON.stringify(NATIVE);
const DONE = {
  id: 'sync-1',
  status: 'COMPLETED',
  delayTime: 120,
  executionTime: 940,
  workerId: 'w1',
};
/** A model that answers JSON, and the envelope of a worker in it: none of it is an envelope. */
const TEXT_OF_JSON = {
  ...NATIVE,
  text: '"{\\"output\\":[\\"{}\\"],\\"status\\":\\"COMPLETED\\"}"',
};

it.each([
  ['an answer as it is', NATIVE, NATIVE],
  ['a JSON text', NATIVE_TEXT, NATIVE],
  ['a JSON text in a JSON text', JSON.stringify(NATIVE_TEXT), NATIVE],
  [
    'a JSON text in a JSON text in a JSON text',
    JSON.stringify(JSON.stringify(NATIVE_TEXT)),
    NATIVE,
  ],
  ['the list of a job', { ...DONE, output: [NATIVE] }, NATIVE],
  ['a job with a JSON text', { ...DONE, output: [NATIVE_TEXT] }, NATIVE],
  [
    'a job with the lines of a body',
    { ...DONE, output: ['{"text":"4",', '"rest":[1]}'] },
    { text: '4', rest: [1] },
  ],
  ['a job with an object', { ...DONE, output: NATIVE }, NATIVE],
  ['a text that is JSON', { ...DONE, output: [JSON.stringify(TEXT_OF_JSON)] }, TEXT_OF_JSON],
  ['several answers', { ...DONE, output: [NATIVE, TEXT_OF_JSON] }, [NATIVE, TEXT_OF_JSON]],
] as const)('takes the envelope off: %s', (_, body, value) => {
  expect(unwrapAnswer('x', body)).toEqual({ kind: 'done', value });
});

it.each([
  ['an error of the handler', { error: 'boom', details: 'trace' }, 'SERVER', 'boom: trace'],
  [
    "an error of vLLM's worker",
    { error: { message: 'boom', type: 'worker_error', code: null } },
    'SERVER',
    'boom',
  ],
  [
    'an error body with its own status',
    { error: { message: 'no', code: 400 } },
    'BAD_REQUEST',
    'no',
  ],
  [
    'an error in a JSON text',
    '{"error":{"message":"maximum context length","code":400}}',
    'CONTEXT_OVERFLOW',
    'context',
  ],
  ['an error in a completed job', { ...DONE, output: [{ error: 'boom' }] }, 'SERVER', 'boom'],
  [
    'a failed job',
    { id: 'a', status: 'FAILED', error: 'out of memory' },
    'SERVER',
    'FAILED, "out of memory"',
  ],
  ['a cancelled job', { id: 'a', status: 'CANCELLED' }, 'SERVER', 'CANCELLED'],
  ['a job that took too long', { id: 'a', status: 'TIMED_OUT' }, 'TIMEOUT', 'TIMED_OUT'],
  ['a text that is no JSON', 'upstream down', 'BAD_RESPONSE', 'upstream down'],
  [
    'more envelopes than there are',
    JSON.stringify(JSON.stringify(JSON.stringify(NATIVE_TEXT))),
    'BAD_RESPONSE',
    'no JSON',
  ],
] as const)('gives %s its class', (_, body, code, message) => {
  expect(() => unwrapAnswer('x', body)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

/** Looks at a job at once; limits of time never pass. */
function impatientClock(): Clock {
  const clock = fakeClock();
  return {
    ...clock,
    sleep: (ms, signal) => (ms <= 1_000 ? Promise.resolve() : clock.sleep(ms, signal)),
  };
}

type Opened = Readonly<{ engine: TokenEngine; server: FakeEngineServer }>;

async function open(
  settings: Readonly<{ path: string; runpod: 'gateway' | 'queue'; serverType: 'sglang' | 'vllm' }>,
  answers: readonly FakeEngineAnswer[],
): Promise<Opened> {
  let count = 0;
  const server = await startFakeEngineServer(() => {
    count += 1;
    return answers[count - 1];
  });
  onTestFinished(() => server.close());
  const { path, ...rest } = settings;
  const { engine } = await openTokenEngine(
    {
      baseUrl: `${server.url}${path}`,
      apiKey: 'rp-secret',
      model: 'm',
      maxAttempts: 1,
      stream: false,
      ...rest,
    },
    { probe: false, effects: { ...testEffects(), clock: impatientClock() } },
  );
  onTestFinished(() => engine.close?.());
  return { engine, server };
}

it('asks the gateway below /openai and reads its JSON in JSON', async () => {
  const settings = { path: '/v2/ep/openai/v1', runpod: 'gateway', serverType: 'sglang' } as const;
  const { engine, server } = await open(settings, [{ body: NATIVE_TEXT }]);
  const result = await resultOf(engine);
  expect(result.outputs[0]).toMatchObject({ ids: [19, 151645], logprobs: [-0.01, -0.5] });
  expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v2/ep/openai/generate' });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer rp-secret');
});

it('gives the queue of an SGLang worker the request itself, and waits for the job', async () => {
  const settings = { path: '/v2/ep', runpod: 'queue', serverType: 'sglang' } as const;
  const { engine, server } = await open(settings, [
    { body: { id: 'sync-1', status: 'IN_QUEUE' } },
    { body: { id: 'sync-1', status: 'IN_PROGRESS' } },
    { body: { ...DONE, output: [NATIVE] } },
  ]);
  expect((await resultOf(engine)).outputs[0]?.ids).toEqual([19, 151645]);
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v2/ep/runsync',
    'GET /v2/ep/status/sync-1',
    'GET /v2/ep/status/sync-1',
  ]);
  expect(server.requests[0]?.body).toMatchObject({
    input: { input_ids: expect.any(Array), return_logprob: true },
  });
});

it('gives the queue of a vLLM worker the route and the body', async () => {
  const settings = { path: '/v2/ep', runpod: 'queue', serverType: 'vllm' } as const;
  const choice = {
    index: 0,
    token_ids: [7],
    logprobs: { token_logprobs: [-1] },
    finish_reason: 'length',
  };
  const { engine, server } = await open(settings, [
    { body: { ...DONE, output: [{ choices: [choice] }] } },
  ]);
  expect((await resultOf(engine)).outputs[0]).toMatchObject({
    ids: [7],
    finish: { type: 'length' },
  });
  expect(server.requests[0]?.body).toMatchObject({
    input: { route: '/v1/completions', body: { model: 'm' } },
  });
});

it('cancels a job that nobody waits for any more', async () => {
  const clock = fakeClock();
  const server = await startFakeEngineServer(({ path }) =>
    path.includes('/cancel/') ? { body: {} } : { body: { id: 'sync-1', status: 'IN_QUEUE' } },
  );
  onTestFinished(() => server.close());
  const { engine } = await openTokenEngine(
    { baseUrl: `${server.url}/v2/ep`, runpod: 'queue', serverType: 'sglang', model: 'm' },
    { probe: false, effects: testEffects({ clock }) },
  );
  onTestFinished(() => engine.close?.());
  const controller = new AbortController();
  const call = (async () => {
    const context = {
      signal: controller.signal,
      rolloutId: 'r',
      invocationId: 'root',
      turn: 1,
      purpose: 'policy',
      split: 'train',
    } as const;
    for await (const _ of engine.generate({ ids: [1], n: 1, sampling: {} }, context));
  })();
  const ended = expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
  while (clock.sleeping() < 2) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  await ended;
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v2/ep/runsync',
    '/v2/ep/cancel/sync-1',
  ]);
});

it('says that the kind of worker has to be named', async () => {
  await expect(openTokenEngine({ baseUrl: 'https://api.runpod.ai/v2/ep' })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining('serverType'),
  });
});
