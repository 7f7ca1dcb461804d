import type { ModelErrorCode } from '@hermes/protocol';
import { testEffects } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { createOpenAiModel } from '../src/index.ts';
import {
  contextOverflow,
  type FakeAnswer,
  rateLimited,
  refusal,
  serverBroken,
  startFakeOpenAiServer,
  unknownModel,
  wrongKey,
} from '../src/testing/index.ts';
import { passTime } from './_support/pass-time.ts';
import { contextOf, play, QUESTION } from './_support/play.ts';
import { waitingClock } from './_support/waiting-clock.ts';

const TEXT = 'one two three';
const SENTENCE = /^[A-Z][^\n]*\.$/;

/** What goes wrong, what it is called, the status on the wire, and whether it is tried again at once. */
const FAULTS: readonly (readonly [string, FakeAnswer, ModelErrorCode, number | null, boolean])[] = [
  ['a 429', rateLimited(1), 'RATE_LIMIT', 429, true],
  ['a 500', serverBroken(), 'SERVER', 500, true],
  ['a 503', serverBroken(503), 'SERVER', 503, true],
  ['a 408', serverBroken(408), 'TIMEOUT', 408, true],
  ['a 409', serverBroken(409), 'SERVER', 409, true],
  ['a page of HTML with 502', { status: 502, body: '<html>Bad gateway' }, 'SERVER', 502, true],
  ['a connection reset', { fault: 'reset' }, 'CONNECTION', null, true],
  ['an answer cut half-way', { content: TEXT, fault: 'cut' }, 'STREAM_CUT', 200, true],
  [
    'an event cut half-way',
    { status: 200, headers: { 'content-type': 'text/event-stream' }, body: 'data: {"choices": [{' },
    'STREAM_CUT',
    200,
    true,
  ],
  ['an error with status 200', { content: TEXT, fault: 'error_body' }, 'SERVER', 200, true],
  ['nonsense', { content: TEXT, fault: 'nonsense' }, 'BAD_RESPONSE', 200, false],
  ['no choices', { fault: 'no_choices' }, 'EMPTY_RESPONSE', 200, false],
  ['a choice without a message', { fault: 'no_message' }, 'EMPTY_RESPONSE', 200, false],
  [
    'something else with status 200',
    { status: 200, body: { hello: 1 } },
    'BAD_RESPONSE',
    200,
    false,
  ],
  ['a JSON text with status 200', { status: 200, body: '"hello"' }, 'BAD_RESPONSE', 200, false],
  ...[{ content: 5 }, { content: { text: 'x' } }, { content: '', tool_calls: 'none' }, 'hello'].map(
    (message) =>
      [
        `the message ${JSON.stringify(message)}`,
        { status: 200, body: { choices: [{ index: 0, message, finish_reason: 'stop' }] } },
        'BAD_RESPONSE',
        200,
        false,
      ] as const,
  ),
  ['an empty body', { status: 200, body: '' }, 'BAD_RESPONSE', 200, false],
  ['the reason "error"', { content: TEXT, finishReason: 'error' }, 'SERVER', 200, true],
  ['a wrong key', wrongKey(), 'AUTH', 401, false],
  ['a forbidden model', refusal(403, 'Not for you.', 'permission'), 'AUTH', 403, false],
  ['an empty account', refusal(402, 'Insufficient credits.', 'x'), 'RATE_LIMIT', 402, false],
  [
    'a used up quota',
    refusal(429, 'You exceeded it.', 'insufficient_quota'),
    'RATE_LIMIT',
    429,
    false,
  ],
  ['an unknown model', unknownModel('tiny'), 'NOT_FOUND', 404, false],
  ['a wrong path', { status: 404, body: { detail: 'Not Found' } }, 'NOT_FOUND', 404, false],
  ['a context overflow', contextOverflow(), 'CONTEXT_OVERFLOW', 400, false],
  [
    'a bad request',
    refusal(400, 'temperature must be non-negative.', 'x'),
    'BAD_REQUEST',
    400,
    false,
  ],
  [
    'a request that is not understood',
    { status: 422, body: { detail: [{ msg: 'x' }] } },
    'BAD_REQUEST',
    422,
    false,
  ],
  [
    'a redirect',
    { status: 307, body: '', headers: { location: 'http://other/v1?key=1' } },
    'CONFIG',
    307,
    false,
  ],
];

/** Plays a list of answers to one call; the waits between attempts take no time. */
async function playAll(answers: readonly FakeAnswer[], stream: boolean) {
  await using server = await startFakeOpenAiServer({ answers });
  const context = contextOf();
  const clock = waitingClock(context.signal);
  const effects = testEffects({ clock });
  const settings = { baseUrl: server.baseUrl, model: 'tiny', apiKey: 'key-0123456789', stream };
  const played = await play(createOpenAiModel(settings, effects), QUESTION, context);
  return { ...played, requests: server.requests, clock };
}

describe.each([
  ['streamed', true],
  ['in one piece', false],
])('where the answer is %s', (_name, stream) => {
  it.each(FAULTS)(
    '%s fails the call as what it is',
    async (_fault, answer, code, status, isRetried) => {
      const { attempts, error, requests, result } = await playAll([answer, answer, answer], stream);
      expect(result).toBeNull();
      expect(error).toMatchObject({
        code,
        boundary: 'model',
        message: expect.stringMatching(SENTENCE),
      });
      expect(requests).toHaveLength(isRetried ? 3 : 1);
      expect(attempts.map(({ number }) => number)).toEqual(isRetried ? [1, 2, 3] : [1]);
      for (const attempt of attempts) {
        expect(attempt).toMatchObject({ statusCode: status, error: error?.toInfo() });
      }
    },
  );

  it.each(FAULTS.filter(([, , , , isRetried]) => isRetried))(
    '%s is made good by the next attempt',
    async (_fault, answer) => {
      const { attempts, clock, events, result } = await playAll([answer, TEXT], stream);
      expect(result?.message.content).toBe(TEXT);
      expect(attempts.map(({ error }) => error === null)).toEqual([false, true]);
      expect(clock.waits).toHaveLength(1);
      expect(new Set(attempts.map(({ attemptId }) => attemptId)).size).toBe(2);
      const starts = events.filter(({ type }) => type === 'attempt_start');
      expect(starts.map((event) => 'number' in event && event.number)).toEqual([1, 2]);
    },
  );
});

it('tells the deltas of a failed attempt apart from those of the next', async () => {
  const { events } = await playAll(
    [{ content: TEXT, fault: 'cut', afterChunks: 3 }, 'four five'],
    true,
  );
  const line = events.map((event) => (event.type === 'content_delta' ? event.text : event.type));
  expect(line).toEqual([
    'attempt_start',
    'one ',
    'two ',
    'attempt_end',
    'attempt_start',
    'four ',
    'five',
    'attempt_end',
    'result',
  ]);
});

it('knows a stream that ends politely in the middle from a whole one', async () => {
  const { attempts, result } = await playAll([{ content: TEXT, fault: 'end_early' }, TEXT], true);
  expect(attempts[0]?.error?.code).toBe('STREAM_CUT');
  expect(result?.message.content).toBe(TEXT);
});

it('does not lose an answer whose connection breaks after its end', async () => {
  // Four chunks of text and role, one with the finish reason; the usage is what breaks off.
  const broken = { content: TEXT, fault: 'cut', afterChunks: 5 } as const;
  const { attempts, result } = await playAll([broken], true);
  expect(result).toMatchObject({ message: { content: TEXT }, usage: { inputTokens: null } });
  expect(attempts).toHaveLength(1);
});

it('does not wait for a server that keeps the connection open after [DONE]', async () => {
  await using server = await startFakeOpenAiServer({
    answers: [{ content: TEXT, fault: 'stall', afterChunks: 99 }],
  });
  const effects = testEffects();
  const model = createOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }, effects);
  const played = play(model);
  // Far less than the two minutes that a stalled stream gets.
  expect(await passTime(effects.clock, 20, played)).toBeLessThan(60_000);
  expect((await played).result?.message.content).toBe(TEXT);
});

it.each([
  ['stream_options', 'Unknown field stream_options', 'streamUsage'],
  ['the model', 'Model gpt-9 is not a valid model ID', '/models'],
])('says what to do where a 400 is about %s', async (_what, message, advice) => {
  const { error } = await playAll([refusal(400, message, 'invalid_request_error')], true);
  expect(error?.message).toContain(advice);
});

it('says that no key was sent, where none was', async () => {
  await using server = await startFakeOpenAiServer({ answers: [], apiKey: 'wanted' });
  const { error } = await play(createOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }));
  expect(error).toMatchObject({
    code: 'AUTH',
    message: expect.stringContaining('no key was sent'),
  });
});

it('names the new place, without its query, where the API has moved', async () => {
  const moved = {
    status: 308,
    body: '',
    headers: { location: 'https://other.test/v1?key=secret' },
  };
  const { error } = await playAll([moved], true);
  expect(error?.message).toContain('https://other.test/v1;');
  expect(error?.message).not.toContain('secret');
});

it('says what to do where nobody listens', async () => {
  const server = await startFakeOpenAiServer({ answers: [] });
  await server.close();
  const settings = { baseUrl: server.baseUrl, model: 'tiny', maxAttempts: 1 };
  const { attempts, error } = await play(createOpenAiModel(settings));
  expect(error).toMatchObject({
    code: 'CONNECTION',
    retryable: true,
    details: { systemCode: 'ECONNREFUSED' },
  });
  expect(error?.message).toBe(
    `No connection to the model "tiny" at ${server.baseUrl} (ECONNREFUSED): start the server, or correct the base URL.`,
  );
  expect(attempts).toMatchObject([{ statusCode: null, responseId: null, firstTokenMs: null }]);
});
