import type { Message, ModelErrorCode } from '@hermes/protocol';
import { expect, it } from 'vitest';
import type { ScriptedTokens } from '../src/testing/index.ts';
import { ask, context, eventsOf, openSession, resultOf, WEATHER } from './_support/session.ts';
import { smallTokenizer } from './_support/small-tokenizer.ts';
import { TOOL_BLIND } from './_support/templates.ts';

const user = (content: string): Message => ({ role: 'user', content });
const request = { messages: [user('a')], sampling: {} };

const WRONG: readonly (readonly [string, ScriptedTokens, ModelErrorCode])[] = [
  ['log-probs that are missing', { ids: [20, 21], logprobs: [-1] }, 'TOKENS_MISSING'],
  ['no log-probs at all', { ids: [20, 21], logprobs: [] }, 'TOKENS_MISSING'],
  ['more log-probs than tokens', { ids: [20], logprobs: [-1, -1] }, 'TOKENS_INVALID'],
  ['log-probs that are padded', { ids: [20, 21], logprobs: [-1, 1] }, 'TOKENS_INVALID'],
  ['log-probs that are no numbers', { ids: [20], logprobs: [Number.NaN] }, 'TOKENS_INVALID'],
  ['infinite log-probs', { ids: [20], logprobs: [Number.NEGATIVE_INFINITY] }, 'TOKENS_INVALID'],
  ['log-probs that a server clamped', { ids: [20], logprobs: [-9999] }, 'TOKENS_INVALID'],
  ['ids outside the vocabulary', { ids: [20, 5000] }, 'TOKENS_INVALID'],
  ['ids that are no integers', { ids: [20, 1.5] }, 'TOKENS_INVALID'],
  ['the echo of another prompt', { ids: [20], promptIds: [1, 2, 3] }, 'TOKENS_INVALID'],
];

it.each(WRONG)('refuses %s and records nothing', async (_, answer, code) => {
  const opened = await openSession([answer, 'fine'], { capabilities: { vocabularySize: 400 } });
  await expect(resultOf(opened.session, request)).rejects.toMatchObject({ code, retryable: false });
  expect(opened.session.segments()).toEqual([]);
  await ask(opened, [user('a')]);
  expect(opened.session.segments().map(({ openedBecause }) => openedBecause)).toEqual(['start']);
});

it('takes a log-prob a hair above 0 for 0', async () => {
  const opened = await openSession([{ ids: [20], logprobs: [5e-5] }]);
  await ask(opened, [user('a')]);
  expect(opened.session.segments()[0]?.logprobs.at(-1)).toBe(0);
});

it('records an answer once, whatever failed before it', async () => {
  const opened = await openSession([
    { text: 'hello', failedAttempts: ['CONNECTION', 'SERVER'] },
    { error: 'SERVER', text: 'lost' },
    'again',
  ]);
  const first = await ask(opened, [user('a')]);
  const messages = [user('a'), first.message, user('b')];
  await expect(resultOf(opened.session, { messages, sampling: {} })).rejects.toMatchObject({
    code: 'SERVER',
  });
  await ask(opened, messages);
  const [segment, ...others] = opened.session.segments();
  expect(others).toEqual([]);
  const sampled = (segment?.ids ?? []).filter((_, at) => segment?.mask[at] !== -100);
  expect(smallTokenizer().decode(sampled)).toBe('hello<|im_end|>again<|im_end|>');
});

it('records nothing of a call that was aborted, and its retry once', async () => {
  const opened = await openSession([{ text: 'hel', hang: true }, 'hello']);
  const controller = new AbortController();
  const events = opened.session.chat(request, { ...context, signal: controller.signal });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of events) {
      seen.push(event.type);
      if (event.type === 'content_delta') controller.abort();
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(seen).toContain('content_delta');
  expect(opened.session.segments()).toEqual([]);
  await ask(opened, [user('a')]);
  expect(opened.session.segments()).toHaveLength(1);
});

it('ends running calls when the session is closed', async () => {
  const opened = await openSession([{ text: 'hel', hang: true }]);
  const call = expect(resultOf(opened.session, request)).rejects.toMatchObject({
    code: 'CANCELLED',
  });
  await opened.session.close();
  await call;
});

it.each([
  [
    'an image',
    {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }],
    },
    'UNSUPPORTED',
  ],
  ['a body for chat routes', { extraBody: { top_a: 1 } }, 'UNSUPPORTED'],
  ['a conversation without messages', { messages: [] }, 'BAD_REQUEST'],
  ['a call that is required without tools', { toolChoice: 'required' }, 'BAD_REQUEST'],
] as const)('refuses %s', async (_, wrong, code) => {
  const { session } = await openSession(['x']);
  await expect(resultOf(session, { ...request, ...wrong })).rejects.toMatchObject({ code });
});

it('refuses tools that the template would leave out', async () => {
  const { session } = await openSession(['x'], { tokenizer: smallTokenizer(TOOL_BLIND) });
  await expect(resultOf(session, { ...request, tools: [WEATHER] })).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('leaves tools out'),
  });
});

it('asks for no more than the window has room for, and says when there is none', async () => {
  const opened = await openSession(['x'], { contextTokens: 40 });
  await ask(opened, [user('a')], { sampling: { maxTokens: 1000 } });
  const question = opened.engine.questions[0];
  expect((question?.request.sampling.maxTokens ?? 0) + (question?.ids.length ?? 0)).toBe(40);
  const long = { messages: [user('long '.repeat(50))], sampling: {} };
  await expect(resultOf(opened.session, long)).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW' });
});

it('reminds a model once that a call is required', async () => {
  const call = '<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>';
  const opened = await openSession(['no', call, 'done']);
  const wanted = { tools: [WEATHER], toolChoice: 'required' } as const;
  const first = await ask(opened, [user('a')], wanted);
  expect(first.message.tool_calls).toHaveLength(1);
  const id = first.message.tool_calls?.[0]?.id ?? '';
  const messages: Message[] = [
    user('a'),
    first.message,
    { role: 'tool', tool_call_id: id, content: 'sun' },
  ];
  await ask(opened, messages, { tools: [WEATHER] });
  expect(opened.session.segments()).toHaveLength(1);
  const text = smallTokenizer().decode(opened.session.segments()[0]?.ids ?? []);
  expect(text).toContain('Answer with a call of one of the tools');
  expect(text).not.toContain('no<|im_end|>');
});

it('gives up when a model does not make the call that is required', async () => {
  const { session } = await openSession(['no', 'never']);
  const wanted = { tools: [WEATHER], toolChoice: { name: 'get_weather' } } as const;
  await expect(resultOf(session, { ...request, ...wanted })).rejects.toMatchObject({
    code: 'BAD_RESPONSE',
  });
  expect(session.segments()).toEqual([]);
});

it('leaves the markup of calls in the text where none may be made', async () => {
  const call =
    '<think>\nhm\n</think>\n\n<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>';
  for (const wanted of [{}, { tools: [WEATHER], toolChoice: 'none' }] as const) {
    const { session } = await openSession([call]);
    const { message, finishReason } = await resultOf(session, { ...request, ...wanted });
    expect(message.tool_calls).toBeUndefined();
    expect(message.content).toContain('<tool_call>');
    expect(message.reasoning_content?.trim()).toBe('hm');
    expect(finishReason).toBe('stop');
  }
});

it('tells the same as it comes and as a whole', async () => {
  const text =
    '<think>\nhm\n</think>\n\nhello 😀\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Pa"}}\n</tool_call>';
  for (const deltaTokens of [1, 3, 0]) {
    const { session } = await openSession([{ text, failedAttempts: ['SERVER'] }], { deltaTokens });
    const events = await eventsOf(session, { ...request, tools: [WEATHER] });
    const last = events.at(-1);
    if (last?.type !== 'result') throw new Error('the last event is no result');
    const attempt = events.slice(events.findLastIndex(({ type }) => type === 'attempt_start'));
    const told = (type: 'content_delta' | 'reasoning_delta') =>
      attempt
        .map((event) => (event.type === type ? event.text : ''))
        .join('')
        .trim();
    const { message } = last.result;
    expect(told('content_delta')).toBe(String(message.content).trim());
    expect(told('reasoning_delta')).toBe(message.reasoning_content?.trim());
    const args = attempt.map((event) => (event.type === 'tool_call_delta' ? event.arguments : ''));
    expect(args.join('')).toBe(message.tool_calls?.[0]?.function.arguments);
  }
});

it.each([
  ['an object', '{"city": "Paris"}'],
  ['a string', '"{\\"city\\": \\"Paris\\"}"'],
])('reads arguments that the model wrote as %s', async (_, args) => {
  const text = `<tool_call>\n{"name": "get_weather", "arguments": ${args}}\n</tool_call>`;
  const { session } = await openSession([text]);
  const { message } = await resultOf(session, { ...request, tools: [WEATHER] });
  expect(JSON.parse(message.tool_calls?.[0]?.function.arguments ?? '')).toEqual({ city: 'Paris' });
});

it('renders the arguments of a history alike, whether they are an object, a string or a doubled string', async () => {
  const object = { city: 'Paris' };
  const prompts: string[] = [];
  for (const args of [object, JSON.stringify(object), JSON.stringify(JSON.stringify(object))]) {
    const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: args } };
    const message = { role: 'assistant', content: '', tool_calls: [call] };
    const result = { role: 'tool', tool_call_id: 'c1', content: 'sun' };
    // As plain JavaScript and other people's JSON have it, against the types.
    const messages: Message[] = JSON.parse(JSON.stringify([user('a'), message, result]));
    const opened = await openSession(['x']);
    await ask(opened, messages, { tools: [WEATHER] });
    prompts.push(smallTokenizer().decode(opened.engine.questions[0]?.ids ?? []));
  }
  expect(prompts[0]).toContain('"arguments": {"city": "Paris"}');
  expect(new Set(prompts).size).toBe(1);
});
