import { expect, it } from 'vitest';
import { addUsage, unknownUsage, zeroUsage } from '../src/index.ts';
import { callEcho, play, roles } from './_kit/play.ts';

const usage = (inputTokens: number | null, outputTokens: number | null) => ({
  ...callEcho,
  usage: { inputTokens, outputTokens },
});

it('makes no further call once the tokens are used up, but runs the tools of the last turn', async () => {
  const { result } = await play(usage(60, 10), { limits: { maxTotalTokens: 140 } });
  expect(result).toMatchObject({ stopReason: 'max_tokens', turnsUsed: 2, error: null });
  expect(roles(result)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
  expect(result.usage).toMatchObject({ inputTokens: 120, outputTokens: 20, totalTokens: 140 });
});

it('caps each answer by what is left of the output tokens', async () => {
  const { result, model, events } = await play(usage(1, 40), {
    limits: { maxOutputTokens: 100 },
    sampling: { maxTokens: 80, temperature: 1 },
  });
  expect(result).toMatchObject({ stopReason: 'max_tokens', turnsUsed: 3 });
  const caps = model.calls.map((call) => call.request.sampling.maxTokens);
  expect(caps).toEqual([80, 60, 20]);
  expect(events.ofType('model_call_start').map((event) => event.sampling.maxTokens)).toEqual(caps);
});

it('does not call a text natural that the budget cut short', async () => {
  const cut = { content: 'Once upon', finishReason: 'length', usage: { outputTokens: 5 } } as const;
  const short = await play(cut, { limits: { maxOutputTokens: 5 } });
  expect(short.result.stopReason).toBe('max_tokens');
  const whole = await play('Done.', { limits: { maxOutputTokens: 5 } });
  expect(whole.result.stopReason).toBe('natural');
});

it('stops when the money is spent', async () => {
  const { result } = await play({ ...callEcho, costUsd: 0.4 }, { limits: { maxCostUsd: 1 } });
  expect(result).toMatchObject({ stopReason: 'max_cost', turnsUsed: 3 });
  expect(result.costUsd).toBeCloseTo(1.2);
});

it('says once that a budget cannot be kept when the server does not tell', async () => {
  const { result, events } = await play(usage(null, null), {
    limits: { maxTotalTokens: 10, maxCostUsd: 1, maxTurns: 3 },
  });
  expect(result).toMatchObject({ stopReason: 'max_turns', costUsd: null });
  expect(events.ofType('gap').map((gap) => gap.code)).toEqual(['tokens_unknown', 'cost_unknown']);
});

it('does not know a sum when one of its calls is not known', async () => {
  const { result } = await play([
    { ...usage(10, 5), costUsd: 1 },
    { content: 'Done.', usage: { inputTokens: null, reasoningTokens: null } },
  ]);
  expect(result.usage).toEqual({
    inputTokens: null,
    outputTokens: 10,
    totalTokens: null,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: null,
  });
  expect(result.costUsd).toBeNull();
});

it('uses nothing when no call succeeded', async () => {
  const { result } = await play({ error: 'AUTH' });
  expect(result).toMatchObject({ usage: zeroUsage, costUsd: 0, modelAttempts: 1 });
});

it.each(['TIMEOUT', 'STREAM_CUT', 'SERVER'] as const)(
  'knows neither tokens nor cost of a call that ended with %s',
  async (code) => {
    const { result } = await play([{ ...callEcho, costUsd: 1 }, { error: code }]);
    expect(result).toMatchObject({ usage: unknownUsage, costUsd: null });
  },
);

it('counts every request on the wire and the time of models and tools', async () => {
  const { model, effects, events, ...rest } = await play([
    { ...callEcho, failedAttempts: ['RATE_LIMIT', 'SERVER'] },
    'Done.',
  ]);
  expect(rest.result).toMatchObject({ modelAttempts: 4, turnsUsed: 2, modelMs: 0, toolMs: 0 });
  expect(events.ofType('model_attempt_end').map((event) => event.attempt.error?.code)).toEqual([
    'RATE_LIMIT',
    'SERVER',
    undefined,
    undefined,
  ]);
});

it('adds usage field by field', () => {
  const one = { ...zeroUsage, inputTokens: 3, cachedTokens: null };
  expect(addUsage(one, one)).toEqual({ ...zeroUsage, inputTokens: 6, cachedTokens: null });
});

it('takes Infinity for no limit', async () => {
  const limits = {
    maxTurns: Number.POSITIVE_INFINITY,
    maxTotalTokens: Number.POSITIVE_INFINITY,
    maxOutputTokens: Number.POSITIVE_INFINITY,
    maxCostUsd: Number.POSITIVE_INFINITY,
    deadlineMs: Number.POSITIVE_INFINITY,
  };
  const { result, model, effects } = await play([...Array(40).fill(callEcho), 'Done.'], { limits });
  expect(result).toMatchObject({ stopReason: 'natural', turnsUsed: 41 });
  expect(model.calls[0]?.request.sampling).toEqual({});
  expect(effects.clock.sleeping()).toBe(0);
});
