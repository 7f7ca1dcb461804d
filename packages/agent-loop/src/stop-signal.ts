import { setMaxListeners } from 'node:events';
import { type Clock, HermesError } from '@hermes/protocol';
import { onAbort } from './on-abort.ts';

/** How long a model or a tool may take to end after it was told to. Then it is left behind. */
export const ABORT_GRACE_MS = 5_000;

/** The end of a loop from outside: once, with its reason. */
export interface StopSignal {
  /** For models and tools. */
  readonly signal: AbortSignal;
  /** null = the loop may go on. */
  reason(): 'aborted' | 'deadline' | null;
  fire(reason: 'aborted' | 'deadline', cause: unknown): void;
  /** Settles as the work does; rejects with CANCELLED when it does not end in time after a stop. */
  bound<T>(work: Promise<T>): Promise<T>;
  /** Takes all listeners and timers away. */
  dispose(): void;
}

/** A stop signal that also fires when the outer signal does. */
export function createStopSignal(outer: AbortSignal | undefined, clock: Clock): StopSignal {
  const controller = new AbortController();
  let grace: AbortController | null = null;
  const waiting = new Set<(error: HermesError) => void>();
  let reason: 'aborted' | 'deadline' | null = null;
  let graceIsOver = false;
  // Each tool call of a turn may listen; their number is no leak.
  setMaxListeners(0, controller.signal);
  // Each wait of each turn is one more of its waiters: the listener behind them is put on once.
  const unkeep = onAbort(controller.signal, () => {});

  function fire(why: 'aborted' | 'deadline', cause: unknown): void {
    if (reason !== null) return;
    reason = why;
    controller.abort(cause);
    grace = new AbortController();
    clock.sleep(ABORT_GRACE_MS, grace.signal).then(leaveBehind, () => {});
  }

  function leaveBehind(): void {
    graceIsOver = true;
    for (const reject of waiting) reject(leftBehindError());
    waiting.clear();
  }

  function bound<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (graceIsOver) reject(leftBehindError());
      else waiting.add(reject);
      void work.then(resolve, reject).then(() => waiting.delete(reject));
    });
  }

  const abort = () => fire('aborted', outer?.reason);
  const unlink = outer ? onAbort(outer, abort) : () => {};
  if (outer?.aborted) abort();
  return {
    signal: controller.signal,
    reason: () => reason,
    fire,
    bound,
    dispose() {
      unlink();
      unkeep();
      grace?.abort('the loop has ended'); // a reason of our own: without one an exception is made
    },
  };
}

function leftBehindError(): HermesError {
  const message = `It did not end within ${ABORT_GRACE_MS} ms after it was told to stop.`;
  return new HermesError('tool', 'CANCELLED', message);
}
