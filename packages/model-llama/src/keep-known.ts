import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { knownLength } from './sequence-pool.ts';
import { throwIfAborted } from './throw-if-aborted.ts';

/**
 * Brings a sequence to all of a prompt but its last token: what it has of it stays, the rest is
 * evaluated in batches, between which a signal is heard. Answers how much stayed.
 */
export async function keepKnown(
  sequence: LlamaContextSequence,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<number> {
  const before = ids.slice(0, -1) as Token[];
  const known = knownLength(sequence, before);
  if (known < sequence.nextTokenIndex)
    await sequence.eraseContextTokenRanges([{ start: known, end: sequence.nextTokenIndex }]);
  // A model whose memory cannot be cut in the middle forgets more than it was told to.
  const kept = Math.min(known, sequence.nextTokenIndex);
  const batch = sequence.context.batchSize;
  for (let start = kept; start < before.length; start += batch) {
    throwIfAborted(signal);
    await sequence.evaluateWithoutGeneratingNewTokens(before.slice(start, start + batch));
  }
  return kept;
}
