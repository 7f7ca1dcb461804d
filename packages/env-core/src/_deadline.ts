import { setMaxListeners } from 'node:events';
import { onAbort } from '@hermes/agent-loop';
import type { Clock } from '@hermes/protocol';

/** A wait took longer than it may. */
export class DeadlineError extends Error {
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`No end within ${Math.round(limitMs)} ms`);
    this.name = 'DeadlineError';
    this.limitMs = limitMs;
  }
}

/** A signal that follows another one and can be aborted apart. close ends the following, so that a long run does not collect them. */
export type Scope = Readonly<{
  signal: AbortSignal;
  abort: (reason: unknown) => void;
  close: () => void;
}>;

/** Follows the parents until it is closed. */
export function openScope(...parents: readonly (AbortSignal | undefined)[]): Scope {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // as many as there are waits; each takes its own off
  const forget = parents.map((parent) => follow(parent, controller));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    close: () => {
      for (const end of forget) end();
    },
  };
}

function follow(parent: AbortSignal | undefined, controller: AbortController): () => void {
  if (parent === undefined) return () => undefined;
  if (parent.aborted) controller.abort(parent.reason);
  return onAbort(parent, () => controller.abort(parent.reason));
}

/**
 * Runs work with a deadline. When it passes, or the parent is aborted, the work's signal is aborted
 * and this rejects at once (DeadlineError, or the parent's reason), also when the work goes on.
 */
export async function withDeadline<T>(
  clock: Clock,
  limitMs: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const scope = openScope(parent);
  const done = new AbortController();
  startTimer(clock, limitMs, done.signal, () => scope.abort(new DeadlineError(limitMs)));
  try {
    scope.signal.throwIfAborted();
    return await Promise.race([work(scope.signal), rejectOnAbort(scope.signal)]);
  } finally {
    done.abort('done'); // a reason of our own: without one an exception is made
    scope.close();
  }
}

/** Calls back after the time, unless the signal fires before. */
export function startTimer(
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  ring: () => void,
): void {
  if (!Number.isFinite(limitMs)) return;
  const cancelled = () => undefined;
  void clock.sleep(limitMs, signal).then(() => {
    if (!signal.aborted) ring();
  }, cancelled);
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
