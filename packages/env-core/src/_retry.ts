import type { Errored, Random } from '@hermes/protocol';
import type { RetryPolicy } from './run-options.ts';

/** Another try would meet the same wall. */
const FINAL_CAUSES: ReadonlySet<Errored['cause']> = new Set([
  'model_auth',
  'model_bad_request',
  'tokens_missing',
  'sandbox_auth',
  'sandbox_quota',
  'sandbox_unsupported',
  'image_build',
]);

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/** The policy with its defaults filled in. */
export function retryPolicy(given: Partial<RetryPolicy> | undefined, random: Random): RetryPolicy {
  return {
    maxTries: given?.maxTries ?? 3,
    on: given?.on ?? isWorthATry,
    delayMs: given?.delayMs ?? ((tryNumber, errored) => backoff(tryNumber, errored, random)),
  };
}

function isWorthATry(errored: Errored): boolean {
  if (errored.reason === 'cancelled' || errored.reason === 'timeout') return false;
  if (errored.error.retryable) return true;
  if (errored.reason !== 'model' && errored.reason !== 'sandbox') return false;
  return !FINAL_CAUSES.has(errored.cause);
}

/** Half to the whole of an exponential delay, so that rollouts that failed together do not come back together. */
function backoff(tryNumber: number, errored: Errored, random: Random): number {
  const asked = errored.error.details?.retryAfterMs;
  if (typeof asked === 'number' && asked >= 0) return asked;
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (tryNumber - 1), LONGEST_DELAY_MS);
  return longest * (0.5 + random.next() / 2);
}
