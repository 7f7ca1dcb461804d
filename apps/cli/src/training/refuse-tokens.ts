import { HermesError } from '@hermes/protocol';
import type { ModelEntry } from '../models.ts';
import type { ProcessFlags } from './process-flags.ts';

/** Lines of tokens need a model that gives them: where it is known beforehand that it gives none, nothing is started. */
export function refuseTokens({ format }: ProcessFlags): (model: ModelEntry) => void {
  return ({ name, givesTokens }) => {
    if (format !== 'tokens' || givesTokens !== false) return;
    const message = `--model ${name} gives no token ids, so there are no tokens to write: choose --format messages or sharegpt, or a model in token space`;
    throw new HermesError('config', 'NO_TOKENS', message);
  };
}

/** What a trainer gets must be what a model has sampled, to the token. */
export function refuseUntrainable({ name, givesTokens }: ModelEntry): void {
  if (givesTokens !== false) return;
  const message = `--model ${name} gives no token ids, and nothing else can be trained on: use a model in token space, or hermes process for training data without tokens`;
  throw new HermesError('config', 'NOT_TRAINABLE', message);
}
