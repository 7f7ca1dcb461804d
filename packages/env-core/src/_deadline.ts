import { setMaxListeners } from 'node:events';
import { onAbort } from '@hermes/agent-loop';
import type { Alarms } from './_alarms.ts';

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

/** Follows the parent until it is closed. */
export function openScope(parent: AbortSignal | undefined): Scope {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // as many as there are waits; each takes its own off
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    close: parent ? onAbort(parent, follow) : () => undefined,
  };
}

/** A scope that is also aborted (DeadlineError) when its time is over before it is closed. */
export function openTimedScope(
  alarms: Alarms,
  limitMs: number,
  parent: AbortSignal | undefined,
): Scope {
  const scope = openScope(parent);
  const callOff = alarms.setIn(limitMs, () => scope.abort(new DeadlineError(limitMs)));
  return {
    ...scope,
    close: () => {
      callOff();
      scope.close();
    },
  };
}

/**
 * Runs work with a deadline. When it passes, or the parent is aborted, the work's signal is aborted
 * and this rejects at once (DeadlineError, or the parent's reason), also when the work goes on.
 */
export async function withDeadline<T>(
  alarms: Alarms,
  limitMs: number,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const scope = openTimedScope(alarms, limitMs, parent);
  try {
    scope.signal.throwIfAborted();
    return await Promise.race([work(scope.signal), rejectOnAbort(scope.signal)]);
  } finally {
    scope.close();
  }
}

/** Follows work that nothing can stop, until it has ended or the time is over (DeadlineError); then it is left to itself. */
export async function within<T>(alarms: Alarms, limitMs: number, work: Promise<T>): Promise<T> {
  let callOff = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    callOff = alarms.setIn(limitMs, () => reject(new DeadlineError(limitMs)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    callOff();
  }
}

/** Follows work that does not look at a signal; rejects with the reason of the signal as soon as that fires. discard gets what the work brings later. */
export async function unlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  discard: (late: T) => void | Promise<void>,
): Promise<T> {
  try {
    return await Promise.race([work, rejectOnAbort(signal)]);
  } catch (error) {
    // whatever it still fails with, the signal was the reason
    if (signal.aborted) void work.then(discard).catch(() => undefined);
    throw error;
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason); // the work itself may have led to it
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
