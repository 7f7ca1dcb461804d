import type { Message, RolloutEventBody } from '@hermes/protocol';
import type { ScriptedTurn } from '@hermes/protocol/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { middleOut } from '../src/index.ts';
import { play, tool } from './_kit/play.ts';

const tools = [
  tool('read', (args) => JSON.stringify(args), { parallel: true }),
  tool('slow', () => new Promise((resolve) => setImmediate(() => resolve('x'.repeat(500)))), {
    parallel: true,
  }),
  tool('write', () => '{"exit_code":124}'),
  tool('throws', () => {
    throw new Error('no');
  }),
  tool('fails', () => '{"error":"x"}'),
];

const names = fc.constantFrom(
  'read',
  'slow',
  'write',
  'throws',
  'fails',
  'unknown',
  '',
  '__proto__',
);
const rawArguments = fc.oneof(fc.json(), fc.string(), fc.constantFrom('{}', '{"a":1}{"a":1}', '['));
const call = fc.record({
  id: fc.constantFrom('', 'same', 'functions.x:0', 'other'),
  name: names,
  arguments: rawArguments,
});
const turn: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ content: fc.string(), calls: fc.array(call, { maxLength: 5 }) }),
  },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.record({
      content: fc.string(),
      error: fc.constantFrom('SERVER', 'CONTEXT_OVERFLOW', 'EMPTY_RESPONSE', 'CANCELLED'),
    }),
  },
  { weight: 1, arbitrary: fc.constant(new Error('odd')) },
);

function logOf(events: readonly RolloutEventBody[]): readonly Message[] {
  const log: Message[] = [];
  for (const event of events) {
    if (event.type !== 'message_append') continue;
    expect(event.index).toBe(log.length);
    log.push(event.message);
  }
  return log;
}

/** Each assistant message is followed by one tool message a call, in call order. */
function expectAnswered(messages: readonly Message[]): void {
  const expected: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(message.tool_call_id).toBe(expected.shift());
      continue;
    }
    expect(expected).toEqual([]);
    if (message.role === 'assistant') {
      const calls = message.tool_calls ?? [];
      expected.push(...calls.map((one) => one.id));
      expect(new Set(expected).size).toBe(expected.length);
      for (const one of calls) expect(JSON.parse(one.function.arguments)).toBeTypeOf('object');
    }
  }
  expect(expected).toEqual([]);
}

function expectPaired(events: readonly RolloutEventBody[]): void {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool_start') open.add(event.callKey);
    if (event.type === 'tool_end') expect(open.delete(event.callKey)).toBe(true);
    if (event.type === 'model_call_start') open.add(event.callId);
    if (event.type === 'model_call_end') {
      expect(open.delete(event.callId)).toBe(true);
      expect(event.result === null).toBe(event.error !== null);
    }
    if (event.type === 'turn_start') open.add(`turn ${event.turn}`);
    if (event.type === 'turn_end') expect(open.delete(`turn ${event.turn}`)).toBe(true);
  }
  expect([...open]).toEqual([]);
}

it('whatever a model does, the loop ends with every call answered and every event in place', {
  timeout: 60_000,
}, async () => {
  const scripts = fc.array(turn, { minLength: 1, maxLength: 8 });
  const signals = fc.option(fc.nat(12), { nil: null });
  await fc.assert(
    fc.asyncProperty(scripts, signals, fc.boolean(), async (script, abortAfter, shortens) => {
      const controller = new AbortController();
      let toolRuns = 0;
      const counting = tools.map((one) => ({
        ...one,
        execute: (...given: Parameters<typeof one.execute>) => {
          toolRuns += 1;
          if (toolRuns === abortAfter) controller.abort();
          return one.execute(...given);
        },
      }));
      const { result, events } = await play(script, {
        tools: counting,
        signal: controller.signal,
        ...(shortens && { context: middleOut({ maxTokens: 200 }) }),
      });
      expect(logOf(events.events)).toEqual(result.messages);
      expectAnswered(result.messages);
      expectPaired(events.events);
      expect(events.types().at(-1)).toBe('invocation_end');
      const { attempted, ok, failed } = result.toolCalls;
      expect(ok + failed).toBe(attempted);
      expect(result.turnsUsed).toBe(events.ofType('model_call_start').length);
    }),
    { numRuns: 300 },
  );
});
