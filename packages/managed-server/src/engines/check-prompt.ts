import { ModelError } from '@hermes/protocol';
import { isToken } from '../answer/check-output.ts';

/** Some servers die of an id that they do not know, and with them all that is running. */
export function checkPrompt(ids: readonly number[], vocabularySize: number | null): void {
  if (ids.length === 0) throw new ModelError('BAD_REQUEST', 'The prompt has no tokens.');
  const at = ids.findIndex((id) => !isToken(id, vocabularySize));
  if (at === -1) return;
  const known = vocabularySize === null ? '' : `: the model has ${vocabularySize} tokens`;
  throw new ModelError(
    'TOKENS_INVALID',
    `The prompt holds the id ${ids[at]} at ${at}, which is no token${known}. It was not sent.`,
  );
}
