import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { hello, openGateway, scriptedBackend } from './_gateway.ts';

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'add',
      parameters: { type: 'object', properties: { a: { type: 'number' } } },
    },
  },
];
const script = [
  {
    reasoning: 'hm',
    content: 'let me see',
    calls: [{ id: 'call_1', name: 'add', arguments: '{ "a":1.0 }' }],
  },
  'it is 2',
];

describe('a foreign agent that speaks chat completions', () => {
  it.each([false, true])(
    'plays a tool loop, streaming: %s, and leaves one segment',
    async (stream) => {
      const { gateway } = await openGateway(scriptedBackend(script));
      const client = new OpenAI({ baseURL: `${gateway.baseUrl}/run-1/v1`, apiKey: 'any' });
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'add' }];
      const ask = async () => {
        if (!stream) return client.chat.completions.create({ model: 'x', messages, tools });
        return client.chat.completions
          .stream({ model: 'x', messages, tools })
          .finalChatCompletion();
      };
      const first = (await ask()).choices[0];
      expect(first).toMatchObject({ finish_reason: 'tool_calls' });
      expect(first?.message.tool_calls).toMatchObject([
        { id: 'call_1', function: { name: 'add', arguments: '{ "a":1.0 }' } },
      ]);
      if (first === undefined) throw new Error('no choice');
      messages.push(first.message, { role: 'tool', tool_call_id: 'call_1', content: '2' });
      const last = await ask();
      expect(last.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: 'it is 2' },
      });
      const segments = gateway.segments('run-1') ?? [];
      expect(segments).toHaveLength(1);
      expect(String.fromCodePoint(...(segments[0]?.ids ?? []))).toContain('it is 2');
    },
  );

  it('gets the counts of tokens, in a stream when it asks for them', async () => {
    const { ask } = await openGateway(scriptedBackend('hi'));
    const whole = await ask('POST', '/s/v1/chat/completions', hello);
    expect(whole.body.usage).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
    });
    const asked = { ...hello, stream: true, stream_options: { include_usage: true } };
    const streamed = await ask('POST', '/t/v1/chat/completions', asked);
    expect(streamed.text).toContain('"choices":[],"usage":{"prompt_tokens":10');
    expect(streamed.text).toMatch(/data: \[DONE\]\n\n$/);
    const silent = await ask('POST', '/u/v1/chat/completions', { ...hello, stream: true });
    expect(silent.text).not.toContain('usage');
  });

  it('keeps why the engine stopped', async () => {
    const { ask } = await openGateway(scriptedBackend({ content: 'cut', finishReason: 'length' }));
    const { body } = await ask('POST', '/s/v1/chat/completions', hello);
    expect(body.choices[0].finish_reason).toBe('length');
    const nodes = await ask('GET', '/s/nodes');
    expect(nodes.body.nodes[0].metadata).toMatchObject({ finish_reason: 'length' });
  });

  it('passes on every sampling value, with a temperature of 1 where none is said', async () => {
    const seen: unknown[] = [];
    const backend = scriptedBackend((request) => {
      seen.push(request.sampling);
      return 'ok';
    });
    const { ask } = await openGateway(backend);
    const sampling = { top_p: 0.5, top_k: 4, min_p: 0.1, seed: 7, stop: 'END', max_tokens: 9 };
    const penalties = { frequency_penalty: 1, presence_penalty: 2, repetition_penalty: 3 };
    await ask('POST', '/s/v1/chat/completions', { ...hello, ...sampling, ...penalties });
    expect(seen).toEqual([
      {
        temperature: 1,
        topP: 0.5,
        topK: 4,
        minP: 0.1,
        seed: 7,
        stop: ['END'],
        maxTokens: 9,
        frequencyPenalty: 1,
        presencePenalty: 2,
        repetitionPenalty: 3,
      },
    ]);
  });

  it('may send arguments as an object or as a text in a text', async () => {
    const seen: unknown[] = [];
    const backend = scriptedBackend(({ messages }) => {
      const [, answer] = messages;
      seen.push(answer?.role === 'assistant' && answer.tool_calls?.[0]?.function.arguments);
      return 'ok';
    });
    const { ask } = await openGateway(backend);
    for (const given of [{ a: 1 }, '{ "a": 1 }', '"{ \\"a\\": 1 }"', '"just a text"', '{broken']) {
      const call = { id: 'c', type: 'function', function: { name: 'add', arguments: given } };
      const history = [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: '1' },
      ];
      await ask('POST', '/s/v1/chat/completions', { messages: history });
    }
    expect(seen).toEqual(['{"a":1}', '{ "a": 1 }', '{ "a": 1 }', '"just a text"', '{broken']);
  });

  it.each([
    [{}, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role'],
    [{ ...hello, logprobs: true }, 'logprobs is not supported'],
    [{ ...hello, functions: [] }, 'functions is not supported'],
    [{ ...hello, response_format: { type: 'json_object' } }, 'response_format is not supported'],
    [{ ...hello, n: 2 }, 'n: 2: this model gives one answer'],
    [{ ...hello, max_tokens: 0 }, 'max_tokens'],
  ])('is told what is wrong with %j', async (body, message) => {
    const { ask } = await openGateway(scriptedBackend('x'));
    const answer = await ask('POST', '/s/v1/chat/completions', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(message);
  });

  it.each([
    ['RATE_LIMIT' as const, 429, 'rate_limit'],
    ['CONTEXT_OVERFLOW' as const, 400, 'context_length_exceeded'],
    ['AUTH' as const, 502, 'auth'],
    ['TOKENS_MISSING' as const, 502, 'tokens_missing'],
    ['TIMEOUT' as const, 504, 'timeout'],
  ])('is told of %s with %s', async (error, status, code) => {
    const { ask, gateway } = await openGateway(scriptedBackend({ error }));
    const answer = await ask('POST', '/s/v1/chat/completions', hello);
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    expect(gateway.segments('s')).toEqual([]);
  });

  it('is told of a fault in the middle of a stream, and nothing of it is recorded', async () => {
    const { ask, gateway } = await openGateway(
      scriptedBackend({ content: 'half', error: 'SERVER' }),
    );
    const { text } = await ask('POST', '/s/v1/chat/completions', { ...hello, stream: true });
    expect(text).toContain('half');
    expect(text).toMatch(/data: \{"error":\{[^\n]*"code":"server"\}\}\n\n$/);
    expect(gateway.segments('s')).toEqual([]);
  });

  it.each([false, true])('is told that the model took too long, streaming: %s', async (stream) => {
    const backend = scriptedBackend({ content: 'half', hang: true });
    const { ask } = await openGateway(backend, { callTimeoutMs: 50 });
    const answer = await ask('POST', '/s/v1/chat/completions', { ...hello, stream });
    expect(answer.status).toBe(stream ? 200 : 504);
    expect(answer.text).toContain('The model did not answer within 50 ms.');
  });

  it('that hangs up ends the call of the engine', async () => {
    let ended = () => {};
    const seen = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const backend = scriptedBackend((_request, { signal }) => {
      signal.addEventListener('abort', ended);
      return { content: 'first', hang: true };
    });
    const { gateway } = await openGateway(backend);
    const hangUp = new AbortController();
    const url = `${gateway.baseUrl}/s/v1/chat/completions`;
    const body = JSON.stringify({ ...hello, stream: true });
    const answer = await fetch(url, { method: 'POST', body, signal: hangUp.signal });
    await answer.body?.getReader().read();
    hangUp.abort();
    await seen;
    expect(gateway.segments('s')).toEqual([]);
  });
});
