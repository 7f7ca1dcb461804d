import type { PositionScore } from '@hermes/protocol';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { isKnowable } from './is-knowable.ts';
import { throwIfAborted } from './throw-if-aborted.ts';

/** How many probabilities are held at once; each position has one for every token of the model. */
const MOST_PROBABILITIES = 2 ** 20;

/** What shall be scored: `topK` of the likeliest at each position are told, too. */
export type ScoreRequest = Readonly<{
  ids: readonly number[];
  topK: number;
  /** How many tokens the model has. */
  rows: number;
  signal: AbortSignal;
}>;

/**
 * What the model thinks of each of the ids, in one pass from the beginning. null: of the first, which
 * has nothing before it, and of one whose probability is too small for a 32-bit float.
 */
export async function scoreIds(
  sequence: LlamaContextSequence,
  { ids, topK, rows, signal }: ScoreRequest,
): Promise<(PositionScore | null)[]> {
  await sequence.clearHistory();
  const scores: (PositionScore | null)[] = [null];
  const step = Math.max(1, Math.floor(MOST_PROBABILITIES / rows));
  // Nothing follows the last id, so it need not be evaluated.
  for (let start = 0; start < ids.length - 1; start += step) {
    throwIfAborted(signal);
    const batch = ids.slice(start, Math.min(start + step, ids.length - 1)) as Token[];
    const evaluated = await sequence.controlledEvaluate(
      batch.map((token) => [token, { generateNext: { probabilities: true } }]),
    );
    for (const [index, output] of evaluated.entries())
      scores.push(scoreOf(output?.next.probabilities, ids[start + index + 1], topK));
  }
  return scores;
}

function scoreOf(
  probabilities: ReadonlyMap<number, number> | undefined,
  id: number | undefined,
  topK: number,
): PositionScore | null {
  if (probabilities === undefined || id === undefined) return null;
  const logprob = Math.log(probabilities.get(id) ?? 0);
  if (!isKnowable(logprob)) return null;
  const top = [...probabilities]
    .slice(0, topK)
    .map(([topId, probability]) => ({ topId, topLogprob: Math.log(probability) }))
    .filter(({ topLogprob }) => isKnowable(topLogprob));
  return {
    logprob,
    topIds: top.map(({ topId }) => topId),
    topLogprobs: top.map(({ topLogprob }) => topLogprob),
  };
}
