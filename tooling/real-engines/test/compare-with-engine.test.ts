import type { TokenEngine, TokenSegment } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { compareWithEngine, compareWithForcedPass, type EngineCall } from '../src/index.ts';

const finish = { type: 'stop', matchedId: 2, matchedText: null } as const;

/** Two turns: 7 and 2 are sampled after 1 1, then 8 and 2 after a result that is 5. */
const calls: readonly EngineCall[] = [
  callOf([1, 1], [7, 2], [-0.5, -0.1]),
  callOf([1, 1, 7, 2, 5], [8, 2], [-0.7, -0.2]),
];
const segment: TokenSegment = {
  index: 0,
  invocationId: 'a',
  openedBecause: 'start',
  source: 'engine',
  ids: [1, 1, 7, 2, 5, 8, 2],
  mask: [-100, -100, 7, 2, -100, 8, 2],
  logprobs: [1, 1, -0.5, -0.1, 1, -0.7, -0.2],
  weightVersions: [],
};

function callOf(
  promptIds: readonly number[],
  ids: readonly number[],
  logprobs: readonly number[],
): EngineCall {
  const outputs = [{ ids, logprobs, finish, weightVersion: null }];
  return { rolloutId: 'a', promptIds, isRepeated: true, outputs };
}

function compare(change: Partial<TokenSegment>, turns = 2) {
  return compareWithEngine([{ id: 'a', turns, segments: [{ ...segment, ...change }] }], calls);
}

describe('a record', () => {
  it('is what the engine said', () => {
    expect(compare({})).toEqual({
      turns: 2,
      repeatedPrompts: 2,
      segments: 1,
      sampledIds: 4,
      playedOtherwise: 0,
      idsMaskedWrongly: 0,
    });
  });

  it.each([
    ['with another id of the prompt', { ids: [1, 3, 7, 2, 5, 8, 2] }],
    ['with another sampled id', { ids: [1, 1, 7, 2, 5, 9, 2] }],
    ['with an id more', { ids: [...segment.ids, 2] }],
    ['with another log-prob', { logprobs: [1, 1, -0.5, -0.1, 1, -0.6, -0.2] }],
  ])('%s is played otherwise', (_what, change) => {
    expect(compare(change).playedOtherwise).toBe(1);
  });

  it('of fewer turns than calls, of no segment and of two is played otherwise', () => {
    expect(compare({}, 1).playedOtherwise).toBe(1);
    for (const segments of [[], [segment, segment]])
      expect(compareWithEngine([{ id: 'a', turns: 2, segments }], calls).playedOtherwise).toBe(1);
  });

  it.each([
    ['sampled and masked', { mask: [-100, -100, -100, 2, -100, 8, 2] }],
    ['not sampled and not masked', { mask: [-100, 1, 7, 2, -100, 8, 2] }],
    ['masked with a log-prob', { logprobs: [1, -0.5, -0.5, -0.1, 1, -0.7, -0.2] }],
  ])('has an id that is %s', (_what, change) => {
    expect(compare(change).idsMaskedWrongly).toBe(1);
  });
});

describe('a forced pass', () => {
  const scoring = (logprobs: readonly (number | null)[]): TokenEngine => ({
    specificationVersion: 'v1',
    id: 'forced',
    modelId: 'forced',
    capabilities: {
      ...{ streaming: false, abort: 'none', score: true },
      ...{ vocabularySize: null, contextTokens: null },
    },
    generate: () => Promise.reject(new Error('only forced passes here')) as never,
    score: async () =>
      logprobs.map((logprob) =>
        logprob === null ? null : { logprob, topIds: [], topLogprobs: [] },
      ),
  });

  it('is compared with what was sampled alone', async () => {
    const engine = scoring([null, -9, -0.5, -0.125, -9, -0.7, -0.2]);
    const { compared, greatestDifference } = await compareWithForcedPass([segment], engine);
    expect(compared).toBe(4);
    expect(greatestDifference).toBeCloseTo(0.025, 6);
  });

  it('without a score of a sampled id differs without bound', async () => {
    const engine = scoring([null, -9, null, -0.1, -9, -0.7, -0.2]);
    expect((await compareWithForcedPass([segment], engine)).greatestDifference).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});
