import type { Effects } from '@hermes/protocol';
import { TrainerError } from '../trainer-error.ts';

/** How often, and how long between. */
export type RetryOptions = Readonly<{
  maxTries: number;
  retryDelayMs: number;
  effects: Pick<Effects, 'clock' | 'random'>;
  signal: AbortSignal;
}>;

/** No wait is longer. */
const LONGEST_DELAY_MS = 10_000;

/** Tries again after errors that `mayRepeat` allows; the wait doubles, half of it is random. */
export async function withRetries<T>(
  { maxTries, retryDelayMs, effects, signal }: RetryOptions,
  mayRepeat: (error: TrainerError) => boolean,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isLast = number >= maxTries || signal.aborted;
      if (isLast || !(error instanceof TrainerError) || !mayRepeat(error)) throw error;
      const delayMs = Math.min(LONGEST_DELAY_MS, retryDelayMs * 2 ** (number - 1));
      await effects.clock.sleep(delayMs * (0.5 + effects.random.next() / 2), signal);
    }
  }
}

/** For what may be done twice: whenever the same request may yet succeed. */
export function ifRetryable(error: TrainerError): boolean {
  return error.retryable;
}

/** For what may be done only once: when nothing of the request can have arrived, or the server says that it did nothing. */
export function ifNotDone(error: TrainerError): boolean {
  const isUnsent = error.retryable && error.details?.wasWritten === false;
  return isUnsent || error.code === 'UNAVAILABLE';
}
