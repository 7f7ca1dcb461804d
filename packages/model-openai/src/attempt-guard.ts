import { setMaxListeners } from 'node:events';
import type { Clock } from '@hermes/protocol';

/** Why an attempt was ended from outside. */
export type GuardReason = 'aborted' | 'deadline' | 'stalled';

/** Ends an attempt that was aborted or takes too long: its signal closes the connection. */
export interface AttemptGuard {
  readonly signal: AbortSignal;
  /** null = it was not ended. */
  reason(): GuardReason | null;
  /** The next piece of a stream may take so long; null: only the deadline counts. */
  expect(limitMs: number | null): void;
  /** Takes timers and listeners away, and closes the connection if it is still open. Idempotent. */
  end(): void;
}

type Nap = Readonly<{ untilMs: number; waker: AbortController }>;

/** A guard for one attempt, from now on. */
export function createAttemptGuard(
  outer: AbortSignal,
  clock: Clock,
  timeoutMs: number,
): AttemptGuard {
  const controller = new AbortController();
  const deadline = new AbortController();
  let reason: GuardReason | null = null;
  let dueMs: number | null = null;
  let nap: Nap | null = null;

  const abort = () => fire('aborted');
  function fire(why: GuardReason): void {
    reason ??= why;
    end();
  }
  function end(): void {
    outer.removeEventListener('abort', abort);
    dueMs = null;
    // Reasons of our own: without one an exception is made for each.
    deadline.abort('ended');
    nap?.waker.abort('ended');
    controller.abort('ended');
  }

  /** One sleep at a time, however many pieces come: a timer for each would cost more than the piece. */
  function expect(limitMs: number | null): void {
    if (controller.signal.aborted) return;
    dueMs = limitMs === null ? null : clock.now().monoMs + limitMs;
    if (dueMs === null || (nap !== null && nap.untilMs <= dueMs)) return;
    nap?.waker.abort('there is less time now');
    nap = { untilMs: dueMs, waker: new AbortController() };
    clock.sleep(limitMs ?? 0, nap.waker.signal).then(wake, ignoreEnd);
  }
  function wake(): void {
    nap = null;
    if (dueMs === null) return;
    const leftMs = dueMs - clock.now().monoMs;
    if (leftMs > 0) expect(leftMs);
    else fire('stalled');
  }

  // Calls side by side may share a signal; each takes its listener away, so their number is no leak.
  setMaxListeners(0, outer);
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort);
  clock.sleep(timeoutMs, deadline.signal).then(() => fire('deadline'), ignoreEnd);
  return { signal: controller.signal, reason: () => reason, expect, end };
}

function ignoreEnd(): void {
  // A sleep rejects only because it is not needed any more.
}
