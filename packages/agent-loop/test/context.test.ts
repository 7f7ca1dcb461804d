import type { Message } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { type ContextPolicy, middleOut } from '../src/index.ts';
import { callEcho, play, start, tool } from './_kit/play.ts';

const long = tool('echo', () => 'x'.repeat(1000));

/** A policy that replaces the history by a summary and its last message, once. */
function summarise(act: Partial<ContextPolicy> = {}): ContextPolicy {
  return {
    name: 'summarise',
    async prepare({ messages }) {
      const last = messages.at(-1);
      if (messages.length !== 3 || !last) return { kind: 'unchanged' };
      const kept: readonly Message[] = messages.slice(0, 1);
      const summary: Message = { role: 'user', content: 'So far: echo was called.' };
      return {
        kind: 'replace',
        messages: [...kept, summary],
        trigger: 'length',
        summary: 'echo was called',
        firstKept: null,
      };
    },
    ...act,
  };
}

it('sends a shortened copy and keeps the whole history', async () => {
  const context = middleOut({ maxTokens: 600, keepFirst: 1, keepLast: 2 });
  const { result, model, events } = await play([callEcho, callEcho, callEcho, 'Done.'], {
    tools: [long],
    context,
  });
  expect(result.contextRewrites).toBe(2);
  expect(result.messages).toHaveLength(8);
  const sent = events.ofType('turn_start').map((event) => event.sent.kind);
  expect(sent).toEqual(['history', 'history', 'view', 'view']);
  const third = model.calls[2]?.request.messages;
  expect(third?.[2]?.content).toMatch(/^x{100}\n\.\.\. \[850 characters omitted\] \.\.\.\nx{50}$/);
  expect(result.messages[2]?.content).toHaveLength(1000);
});

it('gives an overflow one more chance through the policy', async () => {
  const context = middleOut({ maxTokens: 1e6, keepFirst: 1, keepLast: 2 });
  const script = [callEcho, callEcho, { error: 'CONTEXT_OVERFLOW' } as const, 'Done.'];
  const { result } = await play(script, { tools: [long], context });
  expect(result).toMatchObject({ stopReason: 'natural', turnsUsed: 4, contextRewrites: 1 });
});

it('ends with context_overflow when the second try does not fit either', async () => {
  const context = middleOut({ maxTokens: 1e6, keepFirst: 1, keepLast: 2 });
  const overflow = { error: 'CONTEXT_OVERFLOW' } as const;
  const script = [callEcho, callEcho, overflow, overflow, 'never'];
  const { result } = await play(script, { tools: [long], context });
  expect(result).toMatchObject({ stopReason: 'context_overflow', turnsUsed: 4 });
  expect(result.error?.code).toBe('CONTEXT_OVERFLOW');
});

it.each([
  ['there is no policy', {}],
  ['the policy changes nothing', { context: middleOut({ maxTokens: 10, keepFirst: 9 }) }],
  ['no turn is left', { limits: { maxTurns: 1 }, context: middleOut({ maxTokens: 10 }) }],
])('does not try again after an overflow when %s', async (_name, options) => {
  const { result, model } = await play({ error: 'CONTEXT_OVERFLOW' }, options);
  expect(result).toMatchObject({ stopReason: 'context_overflow', turnsUsed: 1 });
  expect(model.calls).toHaveLength(1);
});

it('replaces the history and keeps all that was said in the log', async () => {
  const { result, model, events } = await play([callEcho, 'Done.'], { context: summarise() });
  expect(model.calls[1]?.request.messages.map((message) => message.content)).toEqual([
    'Begin.',
    'So far: echo was called.',
  ]);
  expect(result.messages.map((message) => message.role)).toEqual([
    ...['user', 'assistant', 'tool', 'user', 'assistant'],
  ]);
  expect(result.contextRewrites).toBe(1);
  const start = events.ofType('compaction_start')[0];
  expect(start).toMatchObject({ trigger: 'length', tokensBefore: 15 });
  expect(events.ofType('compaction_end')).toEqual([
    {
      type: 'compaction_end',
      compactionId: start?.compactionId,
      outcome: 'completed',
      tokensAfter: null,
      summary: 'echo was called',
      firstKept: null,
      history: [0, 3],
      callIds: [],
    },
  ]);
});

it('goes on with the history as it is when the policy fails', async () => {
  const context = summarise({
    prepare: async () => {
      throw new Error('no summary');
    },
  });
  const { result, events, effects } = await play('Done.', { context });
  expect(result).toMatchObject({ stopReason: 'natural', contextRewrites: 0 });
  expect(events.ofType('compaction_end').map((event) => event.outcome)).toEqual(['failed']);
  expect(effects.logger.entries).toMatchObject([{ level: 'warn' }]);
});

it('ends a policy that hangs when it is aborted', async () => {
  const controller = new AbortController();
  const context = summarise({
    prepare: ({ call }) =>
      new Promise((_resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(call.signal.reason));
      }),
  });
  const { ended, model, events } = start('Done.', { context, signal: controller.signal });
  controller.abort();
  expect(await ended).toMatchObject({ stopReason: 'aborted', turnsUsed: 0 });
  expect(model.calls).toHaveLength(0);
  expect(events.ofType('compaction_end').map((event) => event.outcome)).toEqual(['aborted']);
});

it('counts the model calls of a policy as cost of the agent and names them', async () => {
  const usage = { ...{ inputTokens: 100, outputTokens: 10, totalTokens: 110 } };
  const result = {
    message: { role: 'assistant', content: 's' } as const,
    finishReason: 'stop' as const,
    responseId: null,
    modelId: null,
    usage: { ...usage, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    costUsd: 1,
    tokens: null,
    notes: [],
  };
  const context = summarise({
    async prepare(input) {
      const { invocationId, purpose } = input.call;
      const call = { callId: 'c1', invocationId, turn: null, purpose, modelId: 'm', sampling: {} };
      input.emit({ type: 'model_call_start', ...call });
      input.emit({ type: 'model_call_end', callId: 'c1', result, error: null });
      return summarise().prepare(input);
    },
  });
  const { result: agent, events } = await play([callEcho, 'Done.'], { context });
  expect(agent.usage.totalTokens).toBe(15 + 15 + 110 + 110);
  expect(agent.turnsUsed).toBe(2);
  expect(events.ofType('compaction_end')[0]?.callIds).toEqual(['c1']);
});
