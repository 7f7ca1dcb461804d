import type { ChatRequest, ToolSchema } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { createOpenAiModel } from '../src/index.ts';
import { type FakeAnswer, startFakeOpenAiServer } from '../src/testing/index.ts';
import { play, QUESTION, resultOf } from './_support/play.ts';

const weather: ToolSchema = { type: 'function', function: { name: 'get_weather' } };
const request: ChatRequest = { ...QUESTION, tools: [weather] };

/** Asks a server with one answer, streamed or not. */
async function ask(answer: FakeAnswer, stream: boolean) {
  await using server = await startFakeOpenAiServer({ answers: [answer] });
  const model = createOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny', stream });
  return await resultOf(model, request);
}

describe.each([
  ['streamed', true],
  ['in one piece', false],
])('an answer %s', (_name, stream) => {
  it('has its text, its ids and its usage', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
    const result = await ask({ content: 'It is 18 C.', usage, model: 'tiny-2' }, stream);
    expect(result).toMatchObject({
      message: { role: 'assistant', content: 'It is 18 C.' },
      finishReason: 'stop',
      responseId: 'chatcmpl-1',
      modelId: 'tiny-2',
      usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 },
      costUsd: null,
      tokens: null,
      notes: [],
    });
    expect(result.message).not.toHaveProperty('tool_calls');
    expect(result.message).not.toHaveProperty('reasoning_content');
  });

  it('knows nothing where the server tells no usage, and says null', async () => {
    const { usage, costUsd } = await ask({ content: 'Hi', usage: null }, stream);
    expect(new Set(Object.values(usage))).toEqual(new Set([null]));
    expect(costUsd).toBeNull();
  });

  it.each([
    [
      'OpenAI',
      {
        prompt_tokens_details: { cached_tokens: 900 },
        completion_tokens_details: { reasoning_tokens: 7 },
      },
    ],
    ['DeepSeek and SGLang', { prompt_cache_hit_tokens: 900, reasoning_tokens: 7 }],
  ])('has cached and reasoning tokens as %s tells them', async (_server, details) => {
    const usage = { prompt_tokens: 1000, completion_tokens: 20, ...details };
    const result = await ask({ content: 'Hi', usage }, stream);
    expect(result.usage).toEqual({
      inputTokens: 1000,
      outputTokens: 20,
      totalTokens: null,
      cachedTokens: 900,
      cacheWriteTokens: null,
      reasoningTokens: 7,
    });
  });

  it('has what was written into the cache, and the cost that the provider told', async () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 2,
      cost: 0.25,
      prompt_tokens_details: { cache_write_tokens: 5 },
    };
    const result = await ask({ content: 'Hi', usage }, stream);
    expect(result).toMatchObject({ costUsd: 0.25, usage: { cacheWriteTokens: 5 } });
  });

  it.each(['reasoning_content', 'reasoning', 'reasoning_details'] as const)(
    'has its reasoning from %s',
    async (reasoningField) => {
      const { message } = await ask(
        { content: '18', reasoning: 'It is May.', reasoningField },
        stream,
      );
      expect(message).toMatchObject({ content: '18', reasoning_content: 'It is May.' });
    },
  );

  it('leaves <think> and tool calls in plain text as they are', async () => {
    const content = '<think>hm</think><tool_call>{"name": "get_weather"}</tool_call>';
    const { finishReason, message } = await ask({ content }, stream);
    expect([message, finishReason]).toEqual([{ role: 'assistant', content }, 'stop']);
  });

  it('has parallel calls in their order, whole', async () => {
    const toolCalls = [
      { name: 'get_weather', arguments: { city: 'Paris' } },
      { name: 'get_weather', arguments: { city: 'Rome' } },
    ];
    const { finishReason, message } = await ask({ content: 'Both.', toolCalls }, stream);
    expect(finishReason).toBe('tool_calls');
    expect(message.content).toBe('Both.');
    expect(message.tool_calls).toEqual([
      {
        id: 'call_1_0',
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
      },
      {
        id: 'call_1_1',
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"Rome"}' },
      },
    ]);
  });

  it.each(['{"city": "Par', '[1]', '"text"', '', '{}{}'])(
    'has the arguments %s just as the model wrote them',
    async (text) => {
      const { message } = await ask(
        { toolCalls: [{ name: 'unheard_of', arguments: text }] },
        stream,
      );
      expect(message.tool_calls).toMatchObject([
        { function: { name: 'unheard_of', arguments: text } },
      ]);
    },
  );

  it('gives calls without an id one of their own, and notes it', async () => {
    const toolCalls = [
      { id: null, name: 'get_weather' },
      { id: null, name: 'get_weather' },
    ];
    const { message, notes } = await ask({ toolCalls }, stream);
    const ids = message.tool_calls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(2);
    expect(ids).toEqual([expect.stringMatching(/^call_[0-9a-f]{24}$/), expect.any(String)]);
    expect(notes).toMatchObject([{ level: 'info', code: 'CALL_ID_MISSING' }]);
  });

  it('keeps ids that repeat: two calls stay two', async () => {
    const toolCalls = [
      { id: 'same', name: 'get_weather', arguments: { city: 'Paris' } },
      { id: 'same', name: 'get_weather', arguments: { city: 'Rome' } },
    ];
    const { message } = await ask({ toolCalls }, stream);
    expect(message.tool_calls?.map((call) => [call.id, call.function.arguments])).toEqual([
      ['same', '{"city":"Paris"}'],
      ['same', '{"city":"Rome"}'],
    ]);
  });

  it('reads deltas that do not say which call they belong to', async () => {
    const toolCalls = [
      { name: 'get_weather', arguments: { city: 'Paris' } },
      { name: 'terminal', arguments: { command: 'ls' } },
    ];
    const { message } = await ask({ toolCalls, withoutIndex: true }, stream);
    expect(message.tool_calls?.map((call) => call.function)).toEqual([
      { name: 'get_weather', arguments: '{"city":"Paris"}' },
      { name: 'terminal', arguments: '{"command":"ls"}' },
    ]);
  });

  it('reads the old function_call as a tool call', async () => {
    const answer = {
      toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
      legacyFunctionCall: true,
    };
    const { finishReason, message, notes } = await ask(answer, stream);
    expect(finishReason).toBe('tool_calls');
    expect(message.tool_calls).toMatchObject([
      {
        id: expect.stringMatching(/^call_/),
        function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      },
    ]);
    expect(notes).toMatchObject([{ code: 'LEGACY_FUNCTION_CALL' }]);
  });

  it.each([
    [null, 'unknown'],
    ['eos_token', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['abort', 'abort'],
    ['because', 'unknown'],
  ])('finishes by %s as %s', async (finishReason, expected) => {
    expect((await ask({ content: 'Hi', finishReason }, stream)).finishReason).toBe(expected);
  });

  it.each([
    ['stop', 'tool_calls'],
    ['length', 'length'],
  ])('with calls and the reason %s finishes as %s', async (finishReason, expected) => {
    const answer = { toolCalls: [{ name: 'get_weather' }], finishReason };
    expect((await ask(answer, stream)).finishReason).toBe(expected);
  });

  it('may be empty: that is an answer, not an error', async () => {
    expect((await ask({ content: null }, stream)).message).toEqual({
      role: 'assistant',
      content: '',
    });
  });
});

it('streams what comes, between the begin and the end of its attempt', async () => {
  const answer = {
    content: 'Let me see.',
    reasoning: 'Hm',
    toolCalls: [{ name: 'get_weather', arguments: { city: 'Paris' } }],
  };
  await using server = await startFakeOpenAiServer({ answers: [answer] });
  const { attempts, events } = await play(
    createOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }),
  );
  expect(events.map(({ type }) => type)).toEqual([
    'attempt_start',
    'reasoning_delta',
    ...Array(3).fill('content_delta'),
    'tool_call_start',
    ...Array(2).fill('tool_call_delta'),
    'attempt_end',
    'result',
  ]);
  expect(attempts).toMatchObject([
    {
      number: 1,
      statusCode: 200,
      responseId: 'chatcmpl-1',
      modelId: 'tiny',
      modelCallId: null,
      error: null,
      firstTokenMs: expect.any(Number),
    },
  ]);
});

it('takes a whole answer from a server that was asked to stream and does not', async () => {
  const body = {
    id: 'x',
    model: 'tiny',
    choices: [{ message: { content: 'Whole.' }, finish_reason: 'stop' }],
  };
  await using server = await startFakeOpenAiServer({ answers: [{ status: 200, body }] });
  const result = await resultOf(createOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }));
  expect(result).toMatchObject({ message: { content: 'Whole.' }, finishReason: 'stop' });
});

it.each(['application/json', 'text/plain'])('reads a stream that is called %s', async (type) => {
  const lines = ['{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}', '[DONE]'];
  const body = lines.map((line) => `data: ${line}\n\n`).join('');
  const { message } = await ask({ status: 200, body, headers: { 'content-type': type } }, true);
  expect(message.content).toBe('Hi');
});

it('reads a whole answer, or an error, that is called a stream', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  const body = { choices: [{ message: { content: 'Whole.' } }] };
  expect((await ask({ status: 200, body, headers }, true)).message.content).toBe('Whole.');
});

it('has the words in which a model refuses', async () => {
  const body = { choices: [{ message: { content: null, refusal: 'I may not.' } }] };
  expect((await ask({ status: 200, body }, true)).message.content).toBe('I may not.');
});

it('reads content in parts', async () => {
  const content = [
    { type: 'thinking' },
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'two' },
  ];
  expect(
    (await ask({ status: 200, body: { choices: [{ message: { content } }] } }, true)).message
      .content,
  ).toBe('One two');
});

it('hands on the body of a whole answer, for people who know the provider', async () => {
  expect((await ask('Hi', false)).raw).toMatchObject({ object: 'chat.completion' });
});
