import { readFile } from 'node:fs/promises';
import type { JsonValue } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { createOpenAiModel } from '../src/index.ts';
import { readServerError } from '../src/server-error.ts';
import { type FakeHttpAnswer, startFakeOpenAiServer } from '../src/testing/index.ts';
import { play, QUESTION } from './_support/play.ts';

// Answers of real servers, recorded from vLLM 0.32.0, SGLang 0.5.23 and llama.cpp's server b11434,
// without their token ids and log-probs.

type Step = Readonly<{
  from: string;
  stream: boolean;
  response: Readonly<{ status: number; body?: JsonValue; events?: readonly JsonValue[] }>;
}>;

const WEATHER = { name: 'get_weather', city: 'Paris' };

/** The server, the step, and what there is to read in it. */
const ANSWERS = [
  [
    'vllm',
    '06-chat-tools.json step 0',
    { calls: [WEATHER], finishReason: 'tool_calls', input: 395, output: 4 },
  ],
  [
    'vllm',
    '06-chat-tools.json step 1',
    { content: 'The answer is \\boxed{42}.', finishReason: 'stop', input: 464, output: 2 },
  ],
  [
    'vllm',
    '06-chat-tools.json step 2',
    { calls: [WEATHER], finishReason: 'tool_calls', input: 395, output: 4 },
  ],
  [
    'vllm',
    '06-chat-tools.json step 4',
    {
      content: '<tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n</tool_call>',
      finishReason: 'stop',
      input: 395,
      output: 4,
    },
  ],
  [
    'vllm',
    '07-abort.json step 9',
    { content: '\ufffd\ufffd helpf', finishReason: 'abort', input: 17, output: 16 },
  ],
  [
    'sglang',
    '03-chat-and-completions.json step 1',
    { calls: [WEATHER], finishReason: 'tool_calls', input: 437, output: 4 },
  ],
  [
    'sglang',
    '03-chat-and-completions.json step 2',
    { content: 'The answer is \\boxed{42}.', finishReason: 'stop', input: 506, output: 2 },
  ],
  [
    'sglang',
    '03-chat-and-completions.json step 4',
    { content: '', finishReason: 'length', input: 437, output: 2 },
  ],
  [
    'llama-server',
    '01-smollm2.json step 3',
    {
      content: 'The capital of France is Paris.',
      finishReason: 'stop',
      input: 42,
      output: 8,
      cached: 0,
    },
  ],
  [
    'llama-server',
    '01-smollm2.json step 4',
    { content: 'The capital of France is Paris', finishReason: 'length', input: 42, output: 6 },
  ],
  [
    'llama-server',
    '01-smollm2.json step 5',
    { content: 'The capital of France is Paris', finishReason: 'length', input: 42, output: 6 },
  ],
  [
    'llama-server',
    '01-smollm2.json step 6',
    { finishReason: 'stop', input: 41, output: 37, cached: 27 },
  ],
  [
    'llama-server',
    '03-automaton-tools.json step 1',
    { calls: [WEATHER], finishReason: 'tool_calls' },
  ],
  [
    'llama-server',
    '03-automaton-tools.json step 2',
    { calls: [WEATHER], finishReason: 'tool_calls' },
  ],
] as const satisfies readonly (readonly [string, string, Expected])[];

type Expected = Readonly<{
  content?: string;
  calls?: readonly Readonly<{ name: string; city: string }>[];
  finishReason: string;
  input?: number;
  output?: number;
  cached?: number;
}>;

async function stepsOf(server: string): Promise<readonly Step[]> {
  const path = new URL(`./fixtures/transcripts/${server}.json`, import.meta.url);
  return JSON.parse(await readFile(path, 'utf8')).steps;
}

/** The recorded answer once more, over a socket. */
async function replay({ response, stream }: Step) {
  await using server = await startFakeOpenAiServer({ answers: () => wireAnswer(response) });
  const settings = { baseUrl: server.baseUrl, model: 'tiny', stream, maxAttempts: 1 };
  return await play(createOpenAiModel(settings), QUESTION);
}

function wireAnswer({ body, events, status }: Step['response']): FakeHttpAnswer {
  if (!events) return { status, body: body ?? '' };
  const lines = events.map((event) =>
    typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`,
  );
  const headers = { 'content-type': 'text/event-stream' };
  return { status, body: lines.map((line) => `${line}\n\n`).join(''), headers };
}

describe.each(ANSWERS)('%s %s', (server, name, given) => {
  it('is read right', async () => {
    const expected: Expected = given;
    const step = (await stepsOf(server)).find(({ from }) => from === `${server}/${name}`);
    if (!step) throw new Error(`There is no ${server}/${name}.`);
    const { error, result } = await replay(step);
    expect(error).toBeNull();
    const calls = result?.message.tool_calls?.map((call) => ({
      name: call.function.name,
      ...JSON.parse(call.function.arguments),
    }));
    expect(calls).toEqual(expected.calls);
    expect(result?.finishReason).toBe(expected.finishReason);
    if (expected.content !== undefined) expect(result?.message.content).toBe(expected.content);
    if (expected.input !== undefined) {
      const { inputTokens, outputTokens } = result?.usage ?? {};
      expect([inputTokens, outputTokens]).toEqual([expected.input, expected.output]);
    }
    if (expected.cached !== undefined) expect(result?.usage.cachedTokens).toBe(expected.cached);
  });
});

it.each(['vllm', 'sglang', 'llama-server'])(
  'refusals of %s say what the server said',
  async (server) => {
    const refusals = (await stepsOf(server)).filter(({ response }) => response.status >= 400);
    expect(refusals.length).toBeGreaterThan(0);
    for (const step of refusals) {
      const { error } = await replay(step);
      const said = readServerError(step.response.body)?.message.replace(/\s+/g, ' ') ?? '';
      expect(said).not.toBe('');
      expect(error?.message).toContain(said.slice(0, 100));
      const isOverflow = /maximum context length|available context size/.test(said);
      expect(error?.code).toBe(isOverflow ? 'CONTEXT_OVERFLOW' : 'BAD_REQUEST');
    }
  },
);
