import type { Clock } from '@hermes/protocol';
import type { ResolvedSettings } from './settings.ts';

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

/** A guard for one attempt, from now on. */
export function createAttemptGuard(
  outer: AbortSignal,
  clock: Clock,
  { timeoutMs }: Pick<ResolvedSettings, 'timeoutMs'>,
): AttemptGuard {
  const controller = new AbortController();
  const ended = new AbortController();
  let reason: GuardReason | null = null;
  let dueMs: number | null = null;
  let isWatching = false;

  function fire(why: GuardReason): void {
    reason ??= why;
    end();
  }
  function end(): void {
    outer.removeEventListener('abort', abort);
    ended.abort('the attempt has ended');
    controller.abort(reason ?? 'the attempt has ended');
  }
  const abort = () => fire('aborted');

  /** One sleep at a time, however many pieces come: a timer for each would cost more than the piece. */
  async function watch(): Promise<void> {
    while (dueMs !== null && !ended.signal.aborted) {
      const leftMs = dueMs - clock.now().monoMs;
      if (leftMs <= 0) return fire('stalled');
      await clock.sleep(leftMs, ended.signal);
    }
    isWatching = false;
  }

  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort);
  clock.sleep(timeoutMs, ended.signal).then(() => fire('deadline'), ignoreEnd);
  return {
    signal: controller.signal,
    reason: () => reason,
    end,
    expect(limitMs) {
      dueMs = limitMs === null ? null : clock.now().monoMs + limitMs;
      if (dueMs === null || isWatching) return;
      isWatching = true;
      watch().catch(ignoreEnd);
    },
  };
}

function ignoreEnd(): void {
  // A sleep rejects only because the attempt has ended before it.
}
