import { expect, it } from 'vitest';
import { eventsOf, PROMPT, resultOf, serve } from './_support/engines.ts';
import { context } from './_support/session.ts';

const STOP = { type: 'stop', matchedId: 2, matchedText: null };

/** An answer of the ids 7 and 2 with the log-probs -0.5 and -0.25, in the words of each kind of server. */
const ANSWERS = {
  vllm: {
    choices: [
      {
        index: 0,
        token_ids: [7, 2],
        prompt_token_ids: PROMPT,
        logprobs: { token_logprobs: [-0.5, -0.25] },
        finish_reason: 'stop',
        stop_reason: null,
      },
    ],
  },
  vllm_inference: {
    choices: [
      {
        index: 0,
        token_ids: [7, 2],
        logprobs: {
          content: [
            { token: 'token_id:7', logprob: -0.5 },
            { token: 'token_id:2', logprob: -0.25 },
          ],
        },
        finish_reason: 'stop',
        stop_reason: null,
      },
    ],
  },
  atropos_vllm: {
    text: ['x'],
    prompt: 'y',
    finish_reasons: ['stop'],
    logprobs: [[{ 9: -3, 7: -0.5 }, [{ 2: -0.25 }]]],
    prompt_token_ids: PROMPT,
    token_ids: [[7, 2]],
  },
  sglang: {
    text: 'x',
    meta_info: {
      finish_reason: 'stop',
      completion_tokens: 2,
      output_token_logprobs: [
        [-0.5, 7],
        [-0.25, 2],
      ],
    },
  },
  trl: {
    prompt_ids: [PROMPT],
    completion_ids: [[7, 2]],
    logprobs: [
      [
        [-3, -0.5],
        [-0.25, -4],
      ],
    ],
    logprob_token_ids: [
      [
        [9, 7],
        [2, 9],
      ],
    ],
  },
  llama_cpp: {
    tokens: [7, 2],
    completion_probabilities: [
      { id: 7, logprob: -0.5 },
      { id: 2, logprob: -0.25 },
    ],
    stop_type: 'eos',
    stopping_word: '',
    truncated: false,
  },
  openai: {
    choices: [
      {
        index: 0,
        logprobs: { token_logprobs: [-0.5, -0.25], tokens: ['token_id:7', 'token_id:2'] },
        finish_reason: 'stop',
      },
    ],
  },
} as const;

const KINDS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];

it.each(KINDS)('reads tokens, log-probs and the end of an answer of %s', async (serverType) => {
  const { engine } = await serve({ serverType, stream: false }, () => ({
    body: ANSWERS[serverType],
  }));
  const result = await resultOf(engine, { stopIds: [2] });
  expect(result.outputs).toEqual([
    { ids: [7, 2], logprobs: [-0.5, -0.25], finish: STOP, weightVersion: null },
  ]);
});

it.each(KINDS)('sends the ids and every sampling value to %s', async (serverType) => {
  const { engine, asked } = await serve({ serverType, stream: false }, () => ({
    body: ANSWERS[serverType],
  }));
  await resultOf(engine, {
    sampling: { temperature: 0.7, maxTokens: 33, stop: ['END'], seed: 5 },
    stopIds: [2],
  });
  const [request] = asked();
  const text = JSON.stringify(request?.body);
  expect(text).toContain(JSON.stringify(PROMPT));
  expect(text).toContain('0.7');
  expect(text).toContain(':33');
  expect(text).toContain('["END"]');
  expect(text).toMatch(/seed":5/);
  for (const value of ['top_p":1', 'min_p":0', 'top_k":']) expect(text).toContain(value);
});

/** The same answer spoilt, and what it is called. */
const SPOILT: readonly (readonly [string, (text: string) => string, string])[] = [
  ['a padded log-prob', (text) => text.replaceAll('-0.25', '1.0'), 'TOKENS_INVALID'],
  ['a log-prob of minus infinity', (text) => text.replaceAll('-0.25', '-9999.0'), 'TOKENS_INVALID'],
  ['a negative id', (text) => text.replaceAll(/\b7\b/g, '-7'), 'TOKENS_'],
  [
    'an unknown end',
    (text) =>
      text
        .replaceAll('"stop"', '"tired"')
        .replaceAll('"eos"', '"tired"')
        .replace('[7,2]]', '[7,9]]'),
    '',
  ],
];

it.each(
  SPOILT.flatMap(([name, spoil, code]) => KINDS.map((kind) => ({ name, spoil, code, kind }))),
)('refuses $name of $kind', async ({ kind, spoil, code }) => {
  const text = spoil(JSON.stringify(ANSWERS[kind]));
  const { engine, asked } = await serve(
    { serverType: kind, stream: false, maxAttempts: 3 },
    () => ({
      text,
    }),
  );
  const error = await resultOf(engine, { stopIds: [2] }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ boundary: 'model', code: expect.stringContaining(code) });
  expect(asked()).toHaveLength(1);
});

it('asks a server that gives one answer at a time as often as answers are wanted, with seeds apart', async () => {
  const { engine, asked } = await serve({ serverType: 'llama_cpp' }, () => ({
    body: ANSWERS.llama_cpp,
  }));
  const result = await resultOf(engine, { n: 3, sampling: { seed: 10 } });
  expect(result.outputs).toHaveLength(3);
  const seeds = asked().map(({ body }) => Reflect.get(Object(body), 'seed'));
  expect(seeds.sort()).toEqual([10, 11, 12]);
});

it('does not send an id that the model does not have', async () => {
  const { engine, asked } = await serve({ serverType: 'sglang', vocabularySize: 384 }, () => ({
    body: ANSWERS.sglang,
  }));
  await expect(resultOf(engine, { ids: [1, 384] })).rejects.toMatchObject({
    code: 'TOKENS_INVALID',
  });
  expect(asked()).toEqual([]);
});

it('takes an abort of SGLang with a status for the refusal that it is', async () => {
  const reason = {
    type: 'abort',
    message: "The input is longer than the model's context length",
    status_code: 400,
  };
  const body = {
    ...ANSWERS.sglang,
    meta_info: { ...ANSWERS.sglang.meta_info, finish_reason: reason },
  };
  const { engine } = await serve({ serverType: 'sglang', stream: false }, () => ({ body }));
  await expect(resultOf(engine)).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW' });
});

it('keeps what was sampled before an engine aborted', async () => {
  const body = {
    ...ANSWERS.sglang,
    meta_info: {
      ...ANSWERS.sglang.meta_info,
      finish_reason: { type: 'abort', message: 'Aborted' },
    },
  };
  const { engine } = await serve({ serverType: 'sglang', stream: false }, () => ({ body }));
  const result = await resultOf(engine);
  expect(result.outputs[0]).toMatchObject({ ids: [7, 2], finish: { type: 'abort' } });
});

it('tells the log-probs of given ids', async () => {
  const positions = [null, { 68: { logprob: -4.5 }, 9: { logprob: -1 } }];
  const { engine } = await serve({ serverType: 'vllm' }, () => ({
    body: { choices: [{ prompt_logprobs: positions }] },
  }));
  const scores = await engine.score?.([1, 68], 1, context.signal);
  expect(scores).toEqual([null, { logprob: -4.5, topIds: [9, 68], topLogprobs: [-1, -4.5] }]);
});

it('makes a failed request again and tells of each attempt', async () => {
  const answers = [
    { nothing: 'break' },
    { status: 503, body: { error: 'busy' } },
    { body: ANSWERS.vllm },
  ] as const;
  let count = 0;
  const { engine } = await serve({ serverType: 'vllm', stream: false, maxAttempts: 3 }, () => {
    count += 1;
    return answers[count - 1];
  });
  const events = await eventsOf(engine);
  const ends = events.flatMap((event) => (event.type === 'attempt_end' ? [event.attempt] : []));
  expect(ends.map(({ error }) => error?.code ?? null)).toEqual(['CONNECTION', 'SERVER', null]);
  expect(ends.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(events.at(-1)?.type).toBe('result');
});

it('begins a stream that was cut again from its start', async () => {
  const event = {
    choices: [
      {
        ...ANSWERS.vllm.choices[0],
        token_ids: [7],
        logprobs: { token_logprobs: [-0.5] },
        finish_reason: null,
      },
    ],
  };
  let count = 0;
  const { engine } = await serve({ serverType: 'vllm', maxAttempts: 2 }, () => {
    count += 1;
    return count === 1 ? { events: [event], isCut: true } : { events: [ANSWERS.vllm] };
  });
  const events = await eventsOf(engine);
  expect(events.map(({ type }) => type)).toEqual([
    'attempt_start',
    'tokens_delta',
    'attempt_end',
    'attempt_start',
    'tokens_delta',
    'attempt_end',
    'result',
  ]);
});

it.each([
  ['vllm', '/inference/v1/abort_requests'],
  ['sglang', '/abort_request'],
] as const)(
  'closes the connection and tells %s when a call is aborted',
  async (serverType, abortPath) => {
    const { engine, server, asked } = await serve({ serverType, stream: false }, ({ path }) =>
      path === abortPath ? { body: null } : { nothing: 'hang' },
    );
    const controller = new AbortController();
    const call = eventsOf(engine, {}, controller.signal);
    const first = expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    while (asked().length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await first;
    await server.goneClients(1);
    await engine.close?.();
    const [question, told] = asked();
    expect(told?.path).toBe(abortPath);
    const name = Reflect.get(Object(question?.body), serverType === 'vllm' ? 'request_id' : 'rid');
    expect(JSON.stringify(told?.body)).toContain(name);
  },
);

it('never says a key', async () => {
  const apiKey = 'sk-very-secret-key';
  const { engine } = await serve({ serverType: 'vllm', apiKey }, ({ headers }) => ({
    status: 401,
    body: { error: `bad key ${headers.authorization}` },
  }));
  const error = await resultOf(engine).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'AUTH' });
  expect(String(error)).not.toContain(apiKey);
});

it('refuses an answer of llama.cpp with pieces of a character, whose log-probs it leaves out', async () => {
  const body = { ...ANSWERS.llama_cpp, tokens: [9, 7, 2] };
  const { engine } = await serve({ serverType: 'llama_cpp' }, () => ({ body }));
  await expect(resultOf(engine)).rejects.toMatchObject({ code: 'TOKENS_MISSING' });
});
