import { expect, it } from 'vitest';
import { eventsOf, PROMPT, recorded, resultOf, serve, transcript } from './_support/engines.ts';

const vllm = await transcript('vllm-completions');
const inference = await transcript('vllm-inference');
const sglang = await transcript('sglang-generate');
const aborted = await transcript('sglang-abort');
const llama = await transcript('llama-server');
const automaton = await transcript('llama-automaton');

/** What a real server answered to one recorded request, and what it means. */
const answers = [
  {
    of: 'vLLM: cut by max_tokens',
    serverType: 'vllm',
    step: vllm[0],
    outputs: [{ ids: [207, 129, 350, 188], finish: { type: 'length' } }],
    promptIds: PROMPT,
  },
  {
    of: 'vLLM: ended by its end-of-sequence token',
    serverType: 'vllm',
    step: vllm[5],
    outputs: [{ ids: [2], finish: { type: 'stop', matchedId: 2, matchedText: null } }],
    promptIds: PROMPT,
  },
  {
    of: 'vLLM: ended by a stop id',
    serverType: 'vllm',
    step: vllm[6],
    outputs: [{ ids: [75], finish: { type: 'stop', matchedId: 75, matchedText: null } }],
    promptIds: PROMPT,
  },
  {
    of: 'vLLM: ended by a stop text of two tokens, which are kept',
    serverType: 'vllm',
    step: vllm[7],
    outputs: [{ ids: [75, 75], finish: { type: 'stop', matchedId: null, matchedText: 'ii' } }],
    promptIds: PROMPT,
  },
  {
    of: 'vLLM: streamed',
    serverType: 'vllm',
    step: vllm[3],
    outputs: [{ ids: [207, 129, 350], finish: { type: 'length' } }],
    promptIds: PROMPT,
  },
  {
    of: "vLLM's inference route",
    serverType: 'vllm_inference',
    step: inference[0],
    outputs: [{ ids: [207, 129, 350], finish: { type: 'length' }, weightVersion: 'default' }],
    promptIds: null,
  },
  {
    of: "vLLM's inference route, streamed",
    serverType: 'vllm_inference',
    step: inference[3],
    outputs: [{ ids: [207, 129, 350], finish: { type: 'length' }, weightVersion: 'default' }],
    promptIds: null,
  },
  {
    of: "vLLM's inference route, two answers",
    serverType: 'vllm_inference',
    step: inference[4],
    n: 2,
    outputs: [
      { ids: [207, 129], finish: { type: 'length' } },
      { ids: [103, 320], finish: { type: 'length' } },
    ],
    promptIds: null,
  },
  {
    of: 'SGLang: cut by max_new_tokens',
    serverType: 'sglang',
    step: sglang[0],
    outputs: [{ ids: [51, 9, 51, 139], finish: { type: 'length' }, weightVersion: 'default' }],
    promptIds: null,
  },
  {
    of: 'SGLang: streamed, each event with all tokens so far',
    serverType: 'sglang',
    step: sglang[2],
    outputs: [{ ids: [235, 96, 116], finish: { type: 'length' } }],
    promptIds: null,
  },
  {
    of: 'SGLang: two answers',
    serverType: 'sglang',
    step: sglang[4],
    n: 2,
    outputs: [
      { ids: [137, 220], finish: { type: 'length' } },
      { ids: expect.any(Array), finish: { type: 'length' } },
    ],
    promptIds: null,
  },
  {
    of: 'SGLang: ended by its end-of-sequence token',
    serverType: 'sglang',
    step: sglang[6],
    outputs: [
      { ids: [363, 369, 364, 2], finish: { type: 'stop', matchedId: 2, matchedText: null } },
    ],
    promptIds: null,
  },
  {
    of: 'SGLang: ended by a stop text',
    serverType: 'sglang',
    step: sglang[8],
    outputs: [
      {
        ids: [363, 369, 364],
        finish: { type: 'stop', matchedId: null, matchedText: '</tool_call>' },
      },
    ],
    promptIds: null,
  },
  {
    of: 'SGLang: with the prompt repeated',
    serverType: 'sglang',
    step: sglang[10],
    outputs: [{ ids: [296, 256], finish: { type: 'length' } }],
    promptIds: PROMPT,
  },
  {
    of: 'llama.cpp: cut by n_predict',
    serverType: 'llama_cpp',
    step: llama.find(({ request }) => request.path === '/completion'),
    outputs: [{ ids: [33, 33, 42, 36, 32], finish: { type: 'length' } }],
    promptIds: null,
  },
  {
    of: 'llama.cpp: a call, ended by its end-of-sequence token',
    serverType: 'llama_cpp',
    step: automaton[0],
    outputs: [
      { ids: [363, 370, 364, 2], finish: { type: 'stop', matchedId: 2, matchedText: null } },
    ],
    promptIds: null,
  },
  {
    of: 'llama.cpp by its OpenAI route',
    serverType: 'openai',
    step: llama.find(({ request }) => request.path === '/v1/completions'),
    outputs: [{ ids: [33, 33, 42, 36], finish: { type: 'length' } }],
    promptIds: null,
  },
] as const;

it.each(answers)(
  'reads the answer of $of',
  async ({ serverType, step, outputs, promptIds, ...rest }) => {
    if (step === undefined) throw new Error('the transcript has no such step');
    const isStream = step.response.events !== undefined;
    const { engine } = await serve({ serverType, stream: isStream }, () => recorded(step));
    const events = await eventsOf(engine, { n: 'n' in rest ? rest.n : 1 });
    const result = events.at(-1);
    expect(result).toMatchObject({ type: 'result', outputs, promptIds });
    if (result?.type !== 'result') return;
    const raw = JSON.stringify(step.response);
    for (const { ids, logprobs } of result.outputs) {
      expect(logprobs).toHaveLength(ids.length);
      for (const logprob of logprobs) expect(raw).toContain(JSON.stringify(logprob).slice(0, 12));
    }
    const streamed = events.flatMap((event) => (event.type === 'tokens_delta' ? event.ids : []));
    expect(streamed).toEqual(isStream ? result.outputs[0]?.ids : []);
  },
);

it.each([
  ['vllm', vllm[8], 'log-probs'],
  ['sglang', sglang[5], 'log-probs'],
  ['sglang', aborted[0], 'log-probs'],
  ['llama_cpp', automaton[1], 'log-probs'],
] as const)('refuses an answer of %s without log-probs', async (serverType, step, what) => {
  if (step === undefined) throw new Error('the transcript has no such step');
  const { engine } = await serve({ serverType, stream: false }, () => recorded(step));
  await expect(resultOf(engine)).rejects.toMatchObject({
    code: 'TOKENS_MISSING',
    message: expect.stringContaining(what),
  });
});

const refusals = [
  ...(await transcript('vllm-errors')).map((step) => ({ serverType: 'vllm', step }) as const),
  ...(await transcript('sglang-errors')).map((step) => ({ serverType: 'sglang', step }) as const),
].map((entry) => ({
  ...entry,
  note: entry.step.note ?? JSON.stringify(entry.step.request.body ?? ''),
}));

/** Those that are about anything but the question. */
const OTHER_CLASSES: Readonly<Record<string, string>> = {
  'too long prompt': 'CONTEXT_OVERFLOW',
  'too long': 'CONTEXT_OVERFLOW',
  'prompt == max_model_len': 'CONTEXT_OVERFLOW',
  'max_tokens -1': 'CONTEXT_OVERFLOW',
  'prompt + max_new_tokens too long': 'CONTEXT_OVERFLOW',
};

it.each(refusals)(
  'gives the refusal of $serverType a class: $note',
  async ({ serverType, step, note }) => {
    const { engine, asked } = await serve({ serverType, maxAttempts: 3 }, () => recorded(step));
    const isMissing = step.response.status === 404 || step.response.status === 405;
    const code = OTHER_CLASSES[note] ?? (isMissing ? 'NOT_FOUND' : 'BAD_REQUEST');
    await expect(resultOf(engine)).rejects.toMatchObject({ code, retryable: false });
    expect(asked()).toHaveLength(1);
  },
);
