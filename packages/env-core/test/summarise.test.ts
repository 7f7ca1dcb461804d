import type { RolloutRecord, Usage } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { passAtK, passHatK } from '../src/_pass-at-k.ts';
import { priceOf, runRollout, summarise } from '../src/index.ts';
import { optionsOf, plainEnvironment, trialOf } from './_support/harness.ts';

const plan = { runId: 'run', environment: 'plain', planned: 0, seed: 1 };
const template = await runRollout(optionsOf({ open: () => scriptedModel('Done.') }), trialOf());

type Given = Readonly<{ item: number; attempt?: number; reward: number | null; marks?: string[] }>;

function record({ item, attempt = 0, reward, marks = [] }: Given): RolloutRecord {
  const identity = { ...template.identity, itemId: `item-${item}`, attempt };
  const base = { ...template, identity, itemIndex: item, trialKey: `${item}/${attempt}`, marks };
  if (reward !== null)
    return {
      ...base,
      status: 'completed',
      reward: { reward, rewards: { reward }, resolved: reward >= 1 },
    };
  const error = { boundary: 'sandbox', code: 'X', message: 'x', retryable: false } as const;
  return { ...base, status: 'errored', errored: { reason: 'sandbox', cause: 'image_pull', error } };
}

function summaryOf(given: readonly Given[], planned = given.length) {
  return summarise(given.map(record), { ...plan, planned });
}

it('keeps passed, failed and errored apart and shows both scores', () => {
  const given = [1, 1, 0, null, null].map((reward, item) => ({ item, reward }));
  expect(summaryOf(given, 6)).toMatchObject({
    total: 6,
    passed: 2,
    failed: 1,
    errored: 2,
    scoreValid: 2 / 3,
    scorePlanned: 2 / 6,
    erroredBy: { 'sandbox/image_pull': 2 },
    interrupted: true,
  });
});

it('has no score where there is nothing to divide by', () => {
  expect(summaryOf([])).toMatchObject({ scoreValid: null, scorePlanned: null, interval: null });
});

it('is not comparable as soon as one record is marked', () => {
  const given = [
    { item: 0, reward: 1 },
    { item: 1, reward: 1, marks: ['timeout_override'] },
  ];
  expect(summaryOf(given)).toMatchObject({ comparable: false, marks: ['timeout_override'] });
});

/** Wilson for 8 of 10 at 95 %, by hand: centre (0.8 + z²/20) / (1 + z²/10), z² = 3.841459. */
it('gives Wilson for one attempt a task', () => {
  const given = Array.from({ length: 10 }, (_, item) => ({ item, reward: item < 8 ? 1 : 0 }));
  const { interval } = summaryOf(given);
  expect(interval?.method).toBe('wilson');
  expect(interval?.low).toBeCloseTo(0.490162, 5);
  expect(interval?.high).toBeCloseTo(0.943318, 5);
});

it('gives a bootstrap over tasks for several attempts, the same for the same seed', () => {
  const given = Array.from({ length: 40 }, (_, index) => {
    const item = index % 10;
    return { item, attempt: Math.floor(index / 10), reward: item < 5 ? 1 : 0 };
  });
  const { interval } = summaryOf(given);
  expect(interval?.method).toBe('bootstrap');
  expect(summaryOf(given.toReversed()).interval).toEqual(interval);
  // Attempts of a task agree fully, so there are 10 independent draws, not 40: sd = sqrt(0.25 / 10).
  expect(interval?.low).toBeCloseTo(0.2, 5);
  expect(interval?.high).toBeCloseTo(0.8, 5);
});

it.each([
  { score: 0, low: 0, high: 0.277533 },
  { score: 1, low: 0.722467, high: 1 },
])(
  'claims no certainty from several attempts that all score $score: Wilson over tasks',
  ({ score, low, high }) => {
    const given = Array.from({ length: 30 }, (_, index) => {
      return { item: index % 10, attempt: Math.floor(index / 10), reward: score };
    });
    const { interval } = summaryOf(given);
    expect(interval?.method).toBe('wilson');
    expect(interval?.low).toBeCloseTo(low, 5);
    expect(interval?.high).toBeCloseTo(high, 5);
  },
);

it('claims no certainty from the attempts of a single task', () => {
  const given = Array.from({ length: 50 }, (_, attempt) => ({
    item: 0,
    attempt,
    reward: attempt < 10 ? 1 : 0,
  }));
  const { interval } = summaryOf(given);
  expect(interval?.method).toBe('wilson');
  expect(interval?.low).toBeLessThan(0.1);
  expect(interval?.high).toBeGreaterThan(0.8);
});

it('uses the bootstrap for rewards between 0 and 1', () => {
  const given = [0.2, 0.4, 0.9].map((reward, item) => ({ item, reward }));
  expect(summaryOf(given).interval).toMatchObject({ method: 'bootstrap' });
});

function* subsets(n: number, k: number, from = 0): Generator<number[]> {
  if (k === 0) yield [];
  else
    for (let first = from; first <= n - k; first += 1)
      for (const rest of subsets(n, k - 1, first + 1)) yield [first, ...rest];
}

it('estimates pass@k and pass^k as the count over all subsets does', () => {
  for (let n = 1; n <= 7; n += 1)
    for (let c = 0; c <= n; c += 1)
      for (let k = 1; k <= n; k += 1) {
        const all = [...subsets(n, k)];
        const any = all.filter((subset) => subset.some((index) => index < c)).length;
        const every = all.filter((subset) => subset.every((index) => index < c)).length;
        expect(passAtK(n, c, k)).toBeCloseTo(any / all.length, 12);
        expect(passHatK(n, c, k)).toBeCloseTo(every / all.length, 12);
      }
});

it('averages pass@k over tasks and leaves out those with too few completed attempts', () => {
  const rewards = [
    [1, 0, 0, 1],
    [0, 0, 0, 0],
    [1, 1, null, null],
  ];
  const given = rewards.flatMap((row, item) =>
    row.map((reward, attempt) => ({ item, attempt, reward })),
  );
  const { passAtK: any, passHatK: every } = summaryOf(given);
  expect(Object.keys(any)).toEqual(['1', '2', '4']);
  expect(any['1']).toBeCloseTo((0.5 + 0 + 1) / 3);
  expect(any['2']).toBeCloseTo((5 / 6 + 0 + 1) / 3);
  expect(any['4']).toBeCloseTo((1 + 0) / 2);
  expect(every['2']).toBeCloseTo((1 / 6 + 0 + 1) / 3);
});

it('does not depend on the order of the records', () => {
  const given = Array.from({ length: 60 }, (_, index) => ({
    item: index % 20,
    attempt: Math.floor(index / 20),
    reward: (index * 7) % 10 === 0 ? null : ((index * 13) % 10) / 10,
  }));
  expect(summaryOf(given.toReversed())).toEqual(summaryOf(given));
});

it('counts only the time in which something ran', () => {
  const at = (wallMs: number) => ({ wallMs, monoMs: wallMs });
  const spans = [
    [0, 10],
    [5, 20],
    [1_000, 1_005],
  ] as const;
  const records = spans.map(([start, end], item) => {
    const { timings, ...rest } = record({ item, reward: 1 });
    return { ...rest, timings: { ...timings, startedAt: at(start), endedAt: at(end) } };
  });
  expect(summarise(records as RolloutRecord[], { ...plan, planned: 3 }).wallMs).toBe(25);
});

it('adds up usage over all ended tries; an unknown makes the sum unknown', () => {
  const known = record({ item: 0, reward: 1 });
  const ended = { rolloutId: 'a', usage: known.usage, costUsd: 1, durationMs: 1 };
  const error = { boundary: 'model', code: 'X', message: 'x', retryable: true } as const;
  const failed = { ...ended, errored: { reason: 'model', cause: 'model_server', error } } as const;
  const unknown = { ...known.usage, inputTokens: null };
  const stopped = { reason: 'cancelled', cause: 'interrupted', error } as const;
  const interrupted = { ...ended, usage: unknown, costUsd: null, errored: stopped };
  const twice = { ...known, costUsd: 2, tries: [failed, interrupted] };
  const one = { ...plan, planned: 1 };
  expect(summarise([twice], one)).toMatchObject({
    usage: { inputTokens: 20 },
    costUsd: 3,
    unpriced: 0,
  });
  const lost = { ...twice, usage: unknown, costUsd: null };
  expect(summarise([lost], one)).toMatchObject({
    usage: { inputTokens: null, outputTokens: 10 },
    costUsd: null,
    unpriced: 1,
  });
});

const usage: Usage = {
  inputTokens: 1_000,
  outputTokens: 100,
  totalTokens: 1_100,
  cachedTokens: 900,
  cacheWriteTokens: 0,
  reasoningTokens: null,
};
const price = { input: 10, output: 50, cached: 1, cacheWrite: null };

it.each([
  ['prices cached tokens apart', usage, price, (100 * 10 + 900 + 100 * 50) / 1e6],
  ['does not know a cost without a cached price', usage, { ...price, cached: null }, null],
  [
    'needs no cached price without cached tokens',
    { ...usage, cachedTokens: 0 },
    { ...price, cached: null },
    (10_000 + 5_000) / 1e6,
  ],
  ['does not know a cost without a count', { ...usage, outputTokens: null }, price, null],
  ['does not know a cost without a price', usage, null, null],
])('%s', (_name, used, known, expected) => {
  const cost = priceOf(used, 'm', { price: () => known });
  if (expected === null) expect(cost).toBeNull();
  else expect(cost).toBeCloseTo(expected, 12);
});

it('takes the price table for a model that tells no cost', async () => {
  const prices = { price: () => price };
  const options = optionsOf({
    open: () => scriptedModel('Done.'),
    prices,
    environment: plainEnvironment(),
  });
  expect((await runRollout(options, trialOf())).costUsd).toBeCloseTo((10 * 10 + 5 * 50) / 1e6, 12);
});
