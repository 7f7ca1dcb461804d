import type { ChatEvent, ChatModel } from '@hermes/protocol';
import { fakeClock, testEffects } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { createOpenAiModel } from '../src/index.ts';
import {
  type FakeAnswer,
  type FakeOpenAiServer,
  rateLimited,
  startFakeOpenAiServer,
} from '../src/testing/index.ts';
import { passTime } from './_support/pass-time.ts';
import { contextOf, play, QUESTION } from './_support/play.ts';

/** More than any test lets through. */
const ENDLESS = { content: 'word '.repeat(3_000), everyMs: 1 };

function modelAt(server: FakeOpenAiServer, effects = testEffects(), stream = true): ChatModel {
  const settings = {
    baseUrl: server.baseUrl,
    model: 'tiny',
    stream,
    timeoutMs: 60_000,
    stallMs: 5_000,
  };
  return createOpenAiModel({ ...settings, maxAttempts: 1 }, effects);
}

const start = (answer: FakeAnswer) => startFakeOpenAiServer({ answers: () => answer });

describe('an abort', () => {
  it('before the call sends nothing', async () => {
    await using server = await start('Hi');
    const { error, events } = await play(modelAt(server), QUESTION, contextOf(AbortSignal.abort()));
    expect([error?.code, events, server.requests]).toEqual(['CANCELLED', [], []]);
  });

  it.each([true, false])(
    'while nothing has come yet closes the connection (stream: %s)',
    async (stream) => {
      await using server = await start({ fault: 'hang' });
      const caller = new AbortController();
      const arrived = server.nextRequest();
      const played = play(
        modelAt(server, testEffects(), stream),
        QUESTION,
        contextOf(caller.signal),
      );
      const request = await arrived;
      await request.standsStill;
      caller.abort();
      expect(await played).toMatchObject({
        error: { code: 'CANCELLED', retryable: false },
        attempts: [{ error: { code: 'CANCELLED' } }],
      });
      await request.ended;
      expect(request.state).toBe('aborted');
    },
  );

  it('in mid answer closes the connection: not a token more is made', async () => {
    await using server = await start(ENDLESS);
    const caller = new AbortController();
    const seen: ChatEvent[] = [];
    const reading = (async () => {
      for await (const event of modelAt(server).chat(QUESTION, contextOf(caller.signal))) {
        seen.push(event);
        if (seen.length === 5) caller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
    const [request] = server.requests;
    await request?.ended;
    expect(request?.state).toBe('aborted');
    expect(seen.at(-1)).toMatchObject({
      type: 'attempt_end',
      attempt: { error: { code: 'CANCELLED' } },
    });
    expect(request?.chunksSent).toBeLessThan(100);
  });

  it('between two attempts ends the wait', async () => {
    await using server = await start(rateLimited(30));
    const caller = new AbortController();
    const clock = fakeClock();
    const settings = { baseUrl: server.baseUrl, model: 'tiny' };
    const model = createOpenAiModel(settings, testEffects({ clock }));
    const events = model.chat(QUESTION, contextOf(caller.signal))[Symbol.asyncIterator]();
    await events.next();
    expect((await events.next()).value).toMatchObject({ type: 'attempt_end' });
    const next = events.next();
    caller.abort();
    await expect(next).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.requests).toHaveLength(1);
    expect(clock.sleeping()).toBe(0);
  });
});

it('calls side by side may share a signal', async () => {
  await using server = await start('Hi');
  const caller = new AbortController();
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on('warning', listen);
  const calls = Array.from({ length: 20 }, () =>
    play(modelAt(server), QUESTION, contextOf(caller.signal)),
  );
  for (const { error } of await Promise.all(calls)) expect(error).toBeNull();
  await new Promise(setImmediate);
  process.off('warning', listen);
  expect(warnings).toEqual([]);
});

it('a caller that stops reading closes the connection', async () => {
  await using server = await start(ENDLESS);
  for await (const event of modelAt(server).chat(QUESTION, contextOf())) {
    if (event.type === 'content_delta') break;
  }
  const [request] = server.requests;
  await request?.ended;
  expect(request?.state).toBe('aborted');
});

describe.each([true, false])('time (stream: %s)', (stream) => {
  it('runs out for an endless hang', async () => {
    await using server = await start({ fault: 'hang' });
    const effects = testEffects();
    const arrived = server.nextRequest();
    const played = play(modelAt(server, effects, stream));
    const request = await arrived;
    await request.standsStill;
    await effects.clock.advance(59_999);
    expect(request.state).toBe('answering');
    await effects.clock.advance(1);
    expect((await played).error).toMatchObject({ code: 'TIMEOUT', retryable: true });
    await request.ended;
    expect([request.state, effects.clock.sleeping()]).toEqual(['aborted', 0]);
  });

  it('runs out for a stall in mid answer', async () => {
    await using server = await start({ content: 'one two three', fault: 'stall' });
    const effects = testEffects();
    const played = play(modelAt(server, effects, stream));
    expect(await passTime(effects.clock, 20, played)).toBeGreaterThanOrEqual(5_000);
    const { attempts, error } = await played;
    expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('5000 ms') });
    expect(attempts).toMatchObject([{ statusCode: 200 }]);
    await server.requests[0]?.ended;
    expect(server.requests[0]?.state).toBe('aborted');
  });
});

it('a slow drip goes on as long as something comes, up to the deadline', async () => {
  await using server = await start({ ...ENDLESS, everyMs: 2 });
  const effects = testEffects();
  const moving = (async () => {
    // Each second that passes on the clock sees at least one word.
    for (const event of Array(58).keys()) {
      const before = server.requests[0]?.chunksSent ?? 0;
      while ((server.requests[0]?.chunksSent ?? 0) <= before + 1) await effects.clock.advance(0);
      await effects.clock.advance(event === 57 ? 60_000 : 1_000);
    }
  })();
  const { error } = await play(modelAt(server, effects));
  await moving;
  expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('60000 ms') });
});

it("the time that a reader takes is not the server's", async () => {
  await using server = await start('one two three');
  const effects = testEffects();
  const seen: string[] = [];
  for await (const event of modelAt(server, effects).chat(QUESTION, contextOf())) {
    seen.push(event.type);
    await effects.clock.advance(6_000);
  }
  expect(seen.at(-1)).toBe('result');
});
