import type { RolloutEvent } from '@hermes/protocol';
import { testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { createEmitter } from '../src/index.ts';
import { callEcho, play, tool } from './_kit/play.ts';

it('tells a rollout in this order', async () => {
  const chatty = tool('echo', (_args, { emit, callKey }) => {
    emit({ type: 'tool_delta', callKey, text: 'working' });
    return 'ok';
  });
  const { events } = await play([{ ...callEcho, content: 'Let me see.' }, 'Done.'], {
    tools: [chatty],
  });
  expect(events.types()).toEqual([
    ...['invocation_start', 'message_append'],
    ...['turn_start', 'model_call_start', 'model_attempt_start'],
    ...['model_delta', 'model_delta', 'model_delta', 'model_attempt_end', 'model_call_end'],
    ...['message_append', 'tool_start', 'tool_delta', 'tool_end', 'message_append', 'turn_end'],
    ...['turn_start', 'model_call_start', 'model_attempt_start'],
    ...['model_delta', 'model_attempt_end', 'model_call_end', 'message_append', 'turn_end'],
    'invocation_end',
  ]);
});

it('tells exactly one of result and error, without the raw object', async () => {
  const { events } = await play([{ ...callEcho, raw: { id: 1 } }, { error: 'SERVER' }]);
  const [first, second] = events.ofType('model_call_end');
  expect(first).toMatchObject({ error: null, result: { finishReason: 'tool_calls' } });
  expect(first?.result).not.toHaveProperty('raw');
  expect(second).toMatchObject({ result: null, error: { code: 'SERVER' } });
});

it('tells why a call was refused, and how many tools ran so far', async () => {
  const refused = { calls: [{ name: 'nope' }, { name: 'echo', arguments: 'x' }, { name: 'echo' }] };
  const { events } = await play([refused, 'Done.']);
  expect(events.ofType('tool_end').map((event) => event.refused)).toEqual([
    'unknown_tool',
    'bad_arguments',
    null,
  ]);
  expect(events.ofType('turn_end').map((event) => event.stepCount)).toEqual([3, 3]);
});

it('stamps events in sequence with both clocks', async () => {
  const effects = testEffects();
  const seen: RolloutEvent[] = [];
  const emit = createEmitter('r1', effects, (event) => seen.push(event));
  emit({ type: 'verifier_start' });
  await effects.clock.advance(7);
  emit({ type: 'verifier_delta', text: 'x' });
  expect(seen).toMatchObject([
    { v: 1, seq: 0, rolloutId: 'r1', at: { monoMs: 0 }, type: 'verifier_start' },
    { v: 1, seq: 1, rolloutId: 'r1', at: { monoMs: 7 }, type: 'verifier_delta' },
  ]);
});

it.each([
  [
    'throws',
    () => {
      throw new Error('disk full');
    },
  ],
  ['rejects', async () => Promise.reject(new Error('disk full'))],
])('goes on, and reports it, when a consumer %s', async (_name, deliver) => {
  const effects = testEffects();
  const emit = createEmitter('r1', effects, deliver);
  for (let i = 0; i < 5; i += 1) emit({ type: 'verifier_start' });
  await new Promise(setImmediate);
  expect(effects.logger.entries.map((entry) => entry.fields?.failures)).toEqual([1, 2, 4]);
  expect(effects.logger.entries[0]).toMatchObject({ level: 'error' });
});
