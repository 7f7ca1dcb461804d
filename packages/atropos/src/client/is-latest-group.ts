import type { ScoredGroup } from '@hermes/protocol';
import { TrainerError } from '../trainer-error.ts';
import { type AskContext, ask } from './ask.ts';
import { latestSchema } from './wire-schemas.ts';

/**
 * Whether the group that entered the server's queue last is this one: all that the protocol can tell of a send whose answer was lost. false
 * also where another group came after it, or nobody answers.
 */
export async function isLatestGroup(
  context: AskContext,
  { sequences }: ScoredGroup,
  signal: AbortSignal,
): Promise<boolean> {
  const question = {
    method: 'GET',
    path: '/latest_example',
    signal,
    schema: latestSchema,
  } as const;
  try {
    const { value } = await ask(context, question);
    const own = [sequences.map(({ tokens }) => tokens), sequences.map(({ score }) => score)];
    return JSON.stringify([value.tokens, value.scores]) === JSON.stringify(own);
  } catch (error) {
    if (error instanceof TrainerError) return false;
    throw error;
  }
}
