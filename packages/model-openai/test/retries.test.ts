import { testEffects } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { createOpenAiModel, type OpenAiModelSettings } from '../src/index.ts';
import {
  type FakeAnswer,
  rateLimited,
  serverBroken,
  startFakeOpenAiServer,
} from '../src/testing/index.ts';
import { contextOf, play, QUESTION } from './_support/play.ts';
import { waitingClock } from './_support/waiting-clock.ts';

/** Answers every attempt alike, and tells how long the model waited between them. */
async function waitsFor(answer: FakeAnswer, settings: Partial<OpenAiModelSettings> = {}, seed = 1) {
  await using server = await startFakeOpenAiServer({ answers: () => answer });
  const context = contextOf();
  const clock = waitingClock(context.signal);
  const effects = testEffects({ clock, seed });
  const model = createOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny', ...settings }, effects);
  const { error } = await play(model, QUESTION, context);
  return {
    error,
    waits: clock.waits,
    requests: server.requests.length,
    log: effects.logger.entries,
  };
}

describe('the wait before the next attempt', () => {
  const withHeader = (headers: Record<string, string>) => ({ ...serverBroken(503), headers });

  // The fake clock stands at 2026-01-01T00:00:00Z.
  it.each([
    ['seconds', { 'retry-after': '2' }, 2_000],
    ['a fraction of a second', { 'retry-after': '0.5' }, 500],
    ['an HTTP date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    ['a date that is over', { 'retry-after': 'Thu, 01 Jan 2020 00:00:00 GMT' }, 0],
    ['milliseconds, which win', { 'retry-after-ms': '700', 'retry-after': '9' }, 700],
  ])(
    'is at least what the server asks for in %s, and at most a tenth more',
    async (_form, headers, askedMs) => {
      const { waits } = await waitsFor(withHeader(headers));
      expect(waits).toHaveLength(2);
      for (const wait of waits) {
        expect(wait).toBeGreaterThanOrEqual(askedMs);
        expect(wait).toBeLessThanOrEqual(askedMs * 1.1);
      }
    },
  );

  it('does not come at once where Retry-After is no time', async () => {
    const { waits } = await waitsFor(withHeader({ 'retry-after': 'soon' }));
    expect(waits.every((wait) => wait >= 250)).toBe(true);
  });

  it('doubles, with a random part between half and the whole', async () => {
    const settings = { maxAttempts: 5, retryDelayMs: 1_000 };
    const { waits } = await waitsFor(serverBroken(), settings);
    expect(waits).toHaveLength(4);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(1_000 * 2 ** index);
    }
    expect((await waitsFor(serverBroken(), settings, 1)).waits).toEqual(waits);
    expect((await waitsFor(serverBroken(), settings, 2)).waits).not.toEqual(waits);
  });
});

it('leaves it to the caller to wait longer than maxRetryAfterMs, and says how long', async () => {
  const { error, requests, waits } = await waitsFor(rateLimited(3_600));
  expect([waits, requests]).toEqual([[], 1]);
  expect(error).toMatchObject({
    code: 'RATE_LIMIT',
    retryable: true,
    message: expect.stringContaining('or try again in 3600 s, as it asks'),
    details: { retryAfterMs: 3_600_000 },
  });
});

it.each([1, 2, 4])('makes %i attempts where maxAttempts says so', async (maxAttempts) => {
  const { requests } = await waitsFor(serverBroken(), { maxAttempts });
  expect(requests).toBe(maxAttempts);
});

it('logs every attempt that is made again', async () => {
  const { log } = await waitsFor(serverBroken(), { maxAttempts: 2 });
  expect(log).toMatchObject([
    { level: 'info', fields: { model: 'tiny', code: 'SERVER', attempt: 1 } },
  ]);
});
