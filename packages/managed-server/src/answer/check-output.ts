import { ModelError, type TokenOutput } from '@hermes/protocol';

/** Servers round: a log-prob a hair above 0 is 0. */
const TOLERANCE = 1e-4;
/** vLLM writes minus infinity so; nothing that was sampled has it. */
const CLAMPED_LOGPROB = -9999;

/**
 * Refuses what must never be trained on: log-probs that are missing, padded or no numbers, and ids
 * that are no tokens. Only sampled tokens are looked at. `vocabularySize` null = not known.
 */
export function checkOutput(output: TokenOutput, vocabularySize: number | null): void {
  const { ids, logprobs } = output;
  if (logprobs.length < ids.length)
    refuse('TOKENS_MISSING', `gave ${logprobs.length} log-probs for ${ids.length} tokens`);
  if (logprobs.length > ids.length)
    refuse('TOKENS_INVALID', `gave ${logprobs.length} log-probs for ${ids.length} tokens`);
  for (const [at, id] of ids.entries()) {
    if (!isToken(id, vocabularySize))
      refuse('TOKENS_INVALID', `gave the id ${id}, which is no token`);
    const logprob = logprobs[at];
    if (!isLogprob(logprob))
      refuse('TOKENS_INVALID', `gave the log-prob ${logprob} for token ${at} of ${ids.length}`);
  }
}

/** Whether a number is an id of the vocabulary. */
export function isToken(id: number, vocabularySize: number | null): boolean {
  return Number.isSafeInteger(id) && id >= 0 && (vocabularySize === null || id < vocabularySize);
}

/** Refuses an answer to another prompt than the one that was sent. */
export function checkEcho(sent: readonly number[], echoed: readonly number[] | null): void {
  if (echoed === null || echoed === sent) return;
  const at = sent.findIndex((id, index) => id !== echoed[index]);
  if (at === -1 && sent.length === echoed.length) return;
  const where = at === -1 ? sent.length : at;
  refuse(
    'TOKENS_INVALID',
    `answered another prompt than it was sent (${echoed.length} tokens for ${sent.length}, different from token ${where} on)`,
  );
}

function isLogprob(value: number | undefined): boolean {
  return typeof value === 'number' && value > CLAMPED_LOGPROB && value <= TOLERANCE;
}

function refuse(code: 'TOKENS_MISSING' | 'TOKENS_INVALID', what: string): never {
  throw new ModelError(
    code,
    `The engine ${what}: what it says cannot be trained on. Look at the server's settings for log-probs and token ids.`,
  );
}
