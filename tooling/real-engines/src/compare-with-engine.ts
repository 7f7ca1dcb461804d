import type { TokenEngine, TokenSegment } from '@hermes/protocol';
import type { EngineCall } from './recording-engine.ts';

/** What was played under one id, and how many turns it took. */
export type Played = Readonly<{ id: string; turns: number; segments: readonly TokenSegment[] }>;

/** How what was recorded compares with what the engine reported. */
type EngineComparison = Readonly<{
  turns: number;
  /** Calls whose prompt the engine itself repeated. */
  repeatedPrompts: number;
  segments: number;
  sampledIds: number;
  /** Those that are not one segment with the engine's ids, log-probs and number of turns. */
  playedOtherwise: number;
  /** Sampled ones that are masked, masked ones that were sampled, and masked ones with a log-prob. */
  idsMaskedWrongly: number;
}>;

/** Compares each segment with the calls that the engine answered for it. */
export function compareWithEngine(
  played: readonly Played[],
  calls: readonly EngineCall[],
): EngineComparison {
  const pairs = played.map((one) => ({
    ...one,
    calls: calls.filter(({ rolloutId }) => rolloutId === one.id),
  }));
  return {
    turns: sum(played.map(({ turns }) => turns)),
    repeatedPrompts: calls.filter(({ isRepeated }) => isRepeated).length,
    segments: sum(played.map(({ segments }) => segments.length)),
    sampledIds: sum(calls.map((call) => sampledBy(call).ids.length)),
    playedOtherwise: pairs.filter((one) => !isSame(one, one.calls)).length,
    idsMaskedWrongly: sum(pairs.map((one) => countMaskedWrongly(one, one.calls))),
  };
}

/** The greatest difference between a recorded log-prob and the one that an engine gives the id in one forced pass over the segment. */
export async function compareWithForcedPass(
  segments: readonly TokenSegment[],
  engine: TokenEngine,
): Promise<Readonly<{ compared: number; greatestDifference: number }>> {
  let compared = 0;
  let greatestDifference = 0;
  for (const { ids, mask, logprobs } of segments) {
    const scores = await engine.score?.(ids, 0, new AbortController().signal);
    for (const [place, value] of mask.entries()) {
      if (value === -100) continue;
      const forced = scores?.[place]?.logprob ?? Number.POSITIVE_INFINITY;
      const difference = Math.abs(forced - (logprobs[place] ?? Number.NEGATIVE_INFINITY));
      greatestDifference = Math.max(greatestDifference, difference);
      compared += 1;
    }
  }
  return { compared, greatestDifference };
}

/** The last call's prompt and answer are the whole segment, and what each call sampled stands at its place. */
function isSame({ turns, segments }: Played, calls: readonly EngineCall[]): boolean {
  const [segment, ...more] = segments;
  const last = calls.at(-1);
  if (segment === undefined || last === undefined) return false;
  if (more.length > 0 || calls.length !== turns) return false;
  return (
    isEqual(segment.ids, [...last.promptIds, ...sampledBy(last).ids]) &&
    calls.every((call) => {
      const { ids, logprobs } = sampledBy(call);
      const from = call.promptIds.length;
      return (
        isEqual(segment.ids.slice(from, from + ids.length), ids) &&
        isEqual(segment.logprobs.slice(from, from + ids.length), logprobs)
      );
    })
  );
}

function countMaskedWrongly({ segments }: Played, calls: readonly EngineCall[]): number {
  const sampled = new Set(
    calls.flatMap((call) => sampledBy(call).ids.map((_, at) => call.promptIds.length + at)),
  );
  const isRight = ({ ids, mask, logprobs }: TokenSegment, place: number): boolean =>
    sampled.has(place) ? mask[place] === ids[place] : mask[place] === -100 && logprobs[place] === 1;
  return sum(
    segments.map((segment) => segment.ids.filter((_, place) => !isRight(segment, place)).length),
  );
}

/** Each call here asks for one answer. */
function sampledBy({ outputs: [output] }: EngineCall): Readonly<{
  ids: readonly number[];
  logprobs: readonly number[];
}> {
  return output ?? { ids: [], logprobs: [] };
}

function isEqual(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
