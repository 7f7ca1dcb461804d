import type { ChatModel, ChatResult, ResultBudget, Tool } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import type { ContextDecision } from '../src/index.ts';
import { callEcho, echo, type Play, play, toolContents } from './_kit/play.ts';

/** What the types forbid but a plugin in plain JavaScript can do. */
function smuggled<T>(value: unknown): T {
  return value as T;
}

const textless: unknown = Object.create(null);
const unreadable = Object.defineProperty(new Error('hidden'), 'message', {
  get: () => {
    throw new Error('no message for you');
  },
});

function expectPairs({ events }: Play): void {
  const types = events.types();
  const count = (type: string) => types.filter((one) => one === type).length;
  expect(count('tool_start')).toBe(count('tool_end'));
  expect(count('model_call_start')).toBe(count('model_call_end'));
  expect(types.at(-1)).toBe('invocation_end');
}

it.each<[string, unknown]>([
  ['no status', { content: 'x' }],
  ['an unknown status', { status: 'weird', content: 'x' }],
  ['a failure without an error', { status: 'failed', content: 'x' }],
  ['a failure whose error is a text', { status: 'failed', content: 'x', error: 'boo' }],
  ['a part that is null', { status: 'completed', content: [null] }],
  ['a part without a type', { status: 'completed', content: [{ text: 'x' }] }],
])('makes one failed call of a tool result with %s', async (_name, value) => {
  const broken: Tool = { ...echo, execute: async () => smuggled(value) };
  const played = await play([callEcho, 'Done.'], { tools: [broken] });
  expect(played.result).toMatchObject({ stopReason: 'natural', toolCalls: { failed: 1 } });
  expect(toolContents(played.result)[0]).toMatch(/^\{"error": "Tool execution failed: TypeError: /);
  expect(played.events.ofType('tool_end')).toMatchObject([{ result: { status: 'failed' } }]);
  expectPairs(played);
});

it.each([
  ['an object without a text', textless],
  ['an error whose message throws', unreadable],
])('survives %s, whoever throws it', async (_name, thrown) => {
  const fail = () => {
    throw thrown;
  };
  const model = { ...scriptedModel(''), chat: fail };
  const failing: Tool = { ...echo, execute: fail };
  const resultBudget: ResultBudget = { limitResult: fail, limitTurn: fail };
  const plays = [
    await play([callEcho, 'Done.'], { tools: [failing] }),
    await play('', { model }),
    await play('Done.', { context: { name: 'broken', prepare: fail } }),
    await play([callEcho, 'Done.'], { resultBudget }),
    await play('Done.', { parseFallback: fail }),
  ];
  const reasons = plays.map(({ result }) => result.stopReason);
  expect(reasons).toEqual(['natural', 'server_error', 'natural', 'natural', 'natural']);
  for (const played of plays) expectPairs(played);
});

/** A model that answers with what a server in JSON could have sent. */
function answering(change: (result: ChatResult) => unknown): ChatModel {
  const scripted = scriptedModel('Hello.');
  return {
    ...scripted,
    async *chat(request, context) {
      for await (const event of scripted.chat(request, context)) {
        if (event.type !== 'result') yield event;
        else yield { ...event, result: smuggled<ChatResult>(change(event.result)) };
      }
    },
  };
}

it.each<[string, (result: ChatResult) => unknown]>([
  ['no message', ({ message: _message, ...rest }) => rest],
  ['a message that is null', (result) => ({ ...result, message: null })],
  ['a message that is a text', (result) => ({ ...result, message: 'Hello.' })],
  ['no usage', ({ usage: _usage, ...rest }) => rest],
])('calls a model result with %s a bad response', async (_name, change) => {
  const played = await play('', { model: answering(change) });
  expect(played.result).toMatchObject({
    stopReason: 'server_error',
    error: { boundary: 'model', code: 'BAD_RESPONSE' },
    turnsUsed: 1,
  });
  expectPairs(played);
});

it('passes over empty notes and empty parts of a message', async () => {
  const content = [null, { type: 'text', text: 'Hello.' }, { type: 'other' }];
  const message = { role: 'assistant', content };
  const model = answering((result) => ({ ...result, message, notes: [null] }));
  const { result } = await play('', { model });
  expect(result.messages.at(-1)).toEqual({ role: 'assistant', content: 'Hello.' });
});

it('counts a cost and tokens that are no numbers as unknown', async () => {
  const usage = { inputTokens: Number.NaN, outputTokens: 1 };
  const model = answering((result) => ({ ...result, usage, costUsd: Number.NaN }));
  const { events, result } = await play('', { model, limits: { maxCostUsd: 1 } });
  expect(result).toMatchObject({ costUsd: null, usage: { inputTokens: null, outputTokens: 1 } });
  expect(events.ofType('gap')).toMatchObject([{ code: 'cost_unknown' }]);
});

it.each([null, undefined, 5])('writes no text when a parser leaves %j of it', async (content) => {
  const parsed = { content, reasoning: null, calls: [{ id: 'a', name: 'echo', arguments: '{}' }] };
  const parseFallback = (text: string) => (text === '<call>' ? smuggled<never>(parsed) : null);
  const { result } = await play(['<call>', 'Done.'], { parseFallback });
  expect(result.messages[1]).toMatchObject({ content: '', tool_calls: [{ id: 'a' }] });
});

it.each([null, { kind: 'view' }, { kind: 'replace' }, { kind: 'nope', messages: [] }])(
  'sends the history as it is when a policy decides %j',
  async (decision) => {
    const prepare = async () => smuggled<ContextDecision>(decision);
    const played = await play('Done.', { context: { name: 'broken', prepare } });
    expect(played.result).toMatchObject({ stopReason: 'natural', contextRewrites: 0 });
    expect(played.events.ofType('compaction_end')).toMatchObject([{ outcome: 'failed' }]);
    expectPairs(played);
  },
);

it.each([null, {}, 'x', { status: 'completed' }])(
  'passes results on whole when the budget makes %j of them',
  async (made) => {
    const resultBudget: ResultBudget = {
      limitResult: async () => smuggled(made),
      limitTurn: async () => smuggled([made]),
    };
    const played = await play([callEcho, 'Done.'], { resultBudget });
    expect(toolContents(played.result)).toEqual(['{"text":"hi"}']);
    expectPairs(played);
  },
);
