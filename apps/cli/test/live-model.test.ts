import {
  contextOverflow,
  type FakeAnswer,
  type FakeFault,
  rateLimited,
  serverBroken,
} from '@hermes/model-openai/testing';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { callNote, messagesOf, outcomeOf, playLive } from './_live.ts';

describe('a live model through the command', () => {
  it.each([
    ['streaming', []],
    ['in one piece', ['--no-stream']],
  ])('calls a tool and answers, %s', (_how, flags) =>
    playLive([callNote(), 'Done.'], flags, ({ code, records, server, stdout }) => {
      expect(code).toBe(exitCodes.ran);
      expect(records.map(outcomeOf)).toEqual(['reward 1, natural']);
      expect(server.requests).toHaveLength(2);
      expect(server.requests[0]?.body.stream === true).toBe(flags.length === 0);
      expect(stdout).toContain('1 passed, 0 failed, 0 errored');
      expect(records[0]?.usage.totalTokens).toBeGreaterThan(0);
    }),
  );

  it('makes several calls of one answer, in their order', () => {
    const both = { toolCalls: ['pear', 'apple'].flatMap((word) => callNote(word).toolCalls) };
    return playLive([both, 'Done.'], [], ({ records, server }) => {
      expect(records.map(outcomeOf)).toEqual(['reward 1, natural']);
      const results = messagesOf(server, 2).filter(({ role }) => role === 'tool');
      expect(results.map(({ content }) => content)).toEqual(['noted pear', 'noted apple']);
    });
  });

  it.each(['reasoning_content', 'reasoning', 'reasoning_details'] as const)(
    'keeps the reasoning that comes as %s apart from the answer',
    (reasoningField) =>
      playLive([{ content: 'Done.', reasoning: 'Hm.', reasoningField }], [], ({ records }) => {
        expect(records[0]?.agent?.messages.at(-1)).toEqual({
          role: 'assistant',
          content: 'Done.',
          reasoning_content: 'Hm.',
        });
      }),
  );

  it.each<[string, string, FakeAnswer, RegExp]>([
    [
      'arguments that are no JSON',
      'bad_arguments',
      { toolCalls: [{ name: 'note', arguments: '{"word": "apple' }] },
      /Invalid JSON in tool arguments/,
    ],
    [
      'arguments that are no object',
      'bad_arguments',
      { toolCalls: [{ name: 'note', arguments: '["apple"]' }] },
      /expected an object/,
    ],
    [
      'arguments written twice',
      'bad_arguments',
      { toolCalls: [{ name: 'note', arguments: '{"word":"apple"}{"word":"apple"}' }] },
      /Invalid JSON in tool arguments/,
    ],
    [
      'a tool that is not there',
      'unknown_tool',
      { toolCalls: [{ name: 'remember', arguments: { word: 'apple' } }] },
      /Unknown tool 'remember'. Available tools: \['note'\]/,
    ],
  ])('runs nothing for %s, tells the model, and goes on', (_what, _refused, answer, told) =>
    playLive([answer, 'Sorry.'], [], ({ records, server }) => {
      expect(records.map(outcomeOf)).toEqual(['reward 0, natural']);
      expect(server.requests).toHaveLength(2);
      const [call, result] = messagesOf(server, 2).slice(-2);
      expect(result).toMatchObject({ role: 'tool', content: expect.stringMatching(told) });
      const { arguments: sent = '' } =
        (call?.role === 'assistant' && call.tool_calls?.[0]?.function) || {};
      expect(typeof JSON.parse(sent)).toBe('object');
      expect(records[0]?.agent?.toolErrors).toHaveLength(1);
    }),
  );

  it.each([
    ['no id', [null, null]],
    ['the same id', ['functions.note:0', 'functions.note:0']],
  ])('answers each of two calls that have %s', (_what, ids) => {
    const toolCalls = ids.map((id, index) => ({
      id,
      name: 'note',
      arguments: { word: index === 0 ? 'pear' : 'apple' },
    }));
    return playLive([{ toolCalls }, 'Done.'], [], ({ records, server }) => {
      expect(records.map(outcomeOf)).toEqual(['reward 1, natural']);
      const [message, ...results] = messagesOf(server, 2).slice(-3);
      const calls = (message?.role === 'assistant' && message.tool_calls) || [];
      const answered = results.map((result) => result.role === 'tool' && result.tool_call_id);
      expect(calls.map((call) => call.id)).toEqual(answered);
      expect(answered.every((id) => typeof id === 'string' && id !== '')).toBe(true);
    });
  });

  it.each<[string, FakeAnswer]>([
    ['a 429 that says when to come back', rateLimited(0)],
    ['a 500', serverBroken()],
    ['a connection that is reset', { fault: 'reset' }],
    ['a stream that is cut in the middle of a call', { ...callNote('pear'), fault: 'cut' }],
  ])('gets over %s: the call is made again, and what came before counts for nothing', (_w, bad) =>
    playLive([bad, callNote(), 'Done.'], [], ({ records, server }) => {
      expect(records.map(outcomeOf)).toEqual(['reward 1, natural']);
      expect(server.requests).toHaveLength(3);
      expect(records[0]?.agent?.modelAttempts).toBe(3);
      expect(records[0]?.agent?.toolCalls).toMatchObject({ attempted: 1 });
    }),
  );

  const lasting: readonly [string, FakeAnswer, string, readonly string[], number][] = [
    ['429', rateLimited(), 'model/model_rate_limit', [], 3],
    ['429 for an hour', rateLimited(3600), 'model/model_rate_limit', [], 1],
    ['500', serverBroken(), 'model/model_server', [], 3],
    ['a reset', { fault: 'reset' }, 'model/model_unreachable', [], 3],
    ['a cut stream', { ...callNote(), fault: 'cut' }, 'model/model_stream_cut', [], 3],
    [
      'a stream that ends early',
      { ...callNote(), fault: 'end_early' },
      'model/model_stream_cut',
      [],
      3,
    ],
    ['nonsense', { content: 'a b c', fault: 'nonsense' }, 'model/model_bad_response', [], 1],
    ['no choices', { fault: 'no_choices' }, 'model/model_bad_response', [], 1],
    [
      'no answer',
      { fault: 'hang' },
      'model/model_timeout',
      ['--request-timeout', '0.3', '--openai.max_attempts', '1'],
      1,
    ],
    [
      'a stall',
      { content: 'a b c d', fault: 'stall' },
      'model/model_timeout',
      ['--openai.stall_timeout', '0.2', '--openai.max_attempts', '1'],
      1,
    ],
  ];
  it.each(lasting)(
    'never scores what %s has ended, and asks no more',
    (_w, answer, cause, flags, asked) =>
      playLive(
        () => answer,
        flags,
        ({ code, records, server, stderr }) => {
          expect(records.map(outcomeOf)).toEqual([cause]);
          expect(server.requests).toHaveLength(asked);
          expect(code).toBe(exitCodes.runFailed);
          expect(stderr).toContain(`no trial could be scored: ${cause} (1)`);
        },
      ),
  );

  it.each<FakeFault>([
    'nonsense',
    'no_choices',
    'no_message',
    'error_body',
    'cut',
    'hang',
    'reset',
  ])('never scores an answer in one piece with the fault %s', (fault) =>
    playLive(
      () => ({ content: 'a b c', fault }),
      ['--no-stream', '--request-timeout', '0.3', '--openai.max_attempts', '1'],
      ({ records, server }) => {
        expect(outcomeOf(records[0])).toMatch(/^model\//);
        expect(server.requests).toHaveLength(1);
      },
    ),
  );

  it('verifies an agent whose context is full, and asks no more', () =>
    playLive([callNote(), contextOverflow()], [], ({ records, server }) => {
      expect(records.map(outcomeOf)).toEqual(['reward 1, context_overflow']);
      expect(server.requests).toHaveLength(2);
    }));

  it('verifies an agent that ran out of time after its work was done, and lets its open call go', () =>
    playLive([callNote(), { fault: 'hang' }], ['--agent-timeout', '2'], ({ records, server }) => {
      expect(records.map(outcomeOf)).toEqual(['reward 1, deadline']);
      expect(records[0]?.agentTimedOut).toBe(true);
      expect(server.requests.map(({ state }) => state)).toEqual(['finished', 'aborted']);
    }));

  it.each([
    ['--max-turns', '2', 'reward 1, max_turns'],
    ['--max-total-tokens', '5', 'reward 1, max_tokens'],
  ])('stops at %s, verifies what is there, and asks no more', (flag, value, outcome) =>
    playLive(
      () => callNote(),
      [flag, value],
      ({ records, server }) => {
        expect(records.map(outcomeOf)).toEqual([outcome]);
        expect(server.requests).toHaveLength(records[0]?.agent?.turnsUsed ?? 0);
      },
    ),
  );

  it('lets go of the open call when it is interrupted, and makes no other', () => {
    const controller = new AbortController();
    const answers = () => {
      queueMicrotask(() => controller.abort());
      return { fault: 'hang' } as const;
    };
    return playLive(
      answers,
      [],
      ({ code, records, server }) => {
        expect(code).toBe(exitCodes.interrupted);
        expect(records.map(outcomeOf)).toEqual(['cancelled/run_cancelled']);
        expect(server.requests.map(({ state }) => state)).toEqual(['aborted']);
      },
      { signal: controller.signal },
    );
  });
});
