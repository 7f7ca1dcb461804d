import type { Clock } from '@hermes/protocol';
import { wireError } from '../wire/wire-error.ts';

/** Runs work that ends with the caller's signal or when its time is over, whatever it waits for. */
export async function withinLimit<T>(
  clock: Clock,
  limitMs: number,
  outer: AbortSignal,
  address: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = startLimit(clock, limitMs, outer, address);
  try {
    return await work(limit.signal);
  } catch (error) {
    throw limit.reason() ?? error;
  } finally {
    limit.end();
  }
}

/** A signal that fires with the caller's or when the time is over. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Why it fired; null = it did not. */
  reason(): Error | null;
  /** Takes the timer and the listener away, and closes what is still open. Idempotent. */
  end(): void;
}

/** Starts the time of one request. */
export function startLimit(
  clock: Clock,
  limitMs: number,
  outer: AbortSignal,
  address: string,
): TimeLimit {
  const inner = new AbortController();
  const nap = new AbortController();
  let reason: Error | null = null;
  const cancel = () => fire(wireError('CANCELLED', `The request to ${address} was cancelled.`));
  const fire = (why: Error) => {
    reason ??= why;
    inner.abort(reason);
  };
  if (outer.aborted) cancel();
  else outer.addEventListener('abort', cancel, { once: true });
  clock.sleep(limitMs, nap.signal).then(
    () =>
      fire(
        wireError(
          'TIMEOUT',
          `The engine at ${address} took longer than ${limitMs} ms: look whether it is overloaded, or raise timeoutMs.`,
        ),
      ),
    () => undefined,
  );
  return {
    signal: inner.signal,
    reason: () => reason,
    end() {
      outer.removeEventListener('abort', cancel);
      nap.abort('the request is over');
      inner.abort('the request is over');
    },
  };
}
