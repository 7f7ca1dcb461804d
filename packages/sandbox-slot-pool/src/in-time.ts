import type { Clock } from '@hermes/protocol';

export type TimeLimit<Value> = Readonly<{
  clock: Clock;
  timeoutMs: number;
  /** Ends it early, with its reason. */
  signal: AbortSignal;
  /** What is thrown when the time is over. */
  late: () => Error;
  /** Takes what comes when nobody waits any more. */
  drop: (value: Value) => void;
}>;

/** Runs a step with a signal that fires when its time is over. A step that does not heed it is not waited for. */
export async function inTime<Value>(
  step: (signal: AbortSignal) => Promise<Value>,
  { clock, timeoutMs, signal, late, drop }: TimeLimit<Value>,
): Promise<Value> {
  const over = new AbortController();
  const done = new AbortController();
  clock.sleep(timeoutMs, done.signal).then(
    () => over.abort(late()),
    () => undefined, // done in time
  );
  const ends = AbortSignal.any([signal, over.signal]);
  const working = step(ends);
  try {
    return await Promise.race([working, rejection(ends)]);
  } catch (cause) {
    working.then(drop, () => undefined); // why it has failed is known already
    throw ends.aborted ? ends.reason : cause;
  } finally {
    done.abort();
  }
}

function rejection(ends: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(ends.reason);
    if (ends.aborted) fail();
    else ends.addEventListener('abort', fail, { once: true });
  });
}
