import type { ScoredGroup } from '@hermes/protocol';
import { TrainerError } from '../trainer-error.ts';
import { type AskContext, ask } from './ask.ts';
import { latestSchema } from './wire-schemas.ts';

/**
 * Asks which group entered the server's queue last: all that the protocol can tell of a send whose answer was lost. The result says of a group
 * whether it is that one; of none where nobody answers.
 */
export async function lastTaken(
  context: AskContext,
  signal: AbortSignal,
): Promise<(group: ScoredGroup) => boolean> {
  const question = {
    method: 'GET',
    path: '/latest_example',
    signal,
    schema: latestSchema,
  } as const;
  try {
    const { value } = await ask(context, question);
    const latest = JSON.stringify([value.tokens, value.scores]);
    return (group) => contentOf(group) === latest;
  } catch (error) {
    if (error instanceof TrainerError) return () => false;
    throw error;
  }
}

function contentOf({ sequences }: ScoredGroup): string {
  return JSON.stringify([
    sequences.map(({ tokens }) => tokens),
    sequences.map(({ score }) => score),
  ]);
}
