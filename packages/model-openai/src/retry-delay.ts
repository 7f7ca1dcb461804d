import type { ModelError, ModelErrorCode, Random } from '@hermes/protocol';
import type { ResolvedSettings } from './settings.ts';

/** What may be better a moment later. A server that answers nonsense is not asked again by this layer. */
const RETRIED: ReadonlySet<ModelErrorCode> = new Set([
  'CONNECTION',
  'RATE_LIMIT',
  'SERVER',
  'STREAM_CUT',
  'TIMEOUT',
]);

const LONGEST_BACKOFF_MS = 30_000;
const LONGEST_SPREAD_MS = 1_000;

/** How long to wait before the next attempt; null = there is none. `made`: attempts so far. */
export function retryDelay(
  error: ModelError,
  made: number,
  settings: ResolvedSettings,
  random: Random,
): number | null {
  if (made >= settings.maxAttempts || !error.retryable || !RETRIED.has(error.code)) return null;
  const asked = error.details?.retryAfterMs;
  if (typeof asked !== 'number') return backoff(made, settings, random);
  return asked > settings.maxRetryAfterMs ? null : spread(asked, random);
}

/** Half to the whole of an exponential delay, so that calls that failed together do not come back together. */
function backoff(made: number, { retryDelayMs }: ResolvedSettings, random: Random): number {
  const longest = Math.min(retryDelayMs * 2 ** (made - 1), LONGEST_BACKOFF_MS);
  return longest * (0.5 + random.next() / 2);
}

/** Never earlier than asked, and up to a tenth later. */
function spread(asked: number, random: Random): number {
  return asked + Math.min(asked / 10, LONGEST_SPREAD_MS) * random.next();
}
