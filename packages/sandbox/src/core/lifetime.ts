import type { Clock } from '@hermes/protocol';
import type { Activity } from './activity.ts';

export type LifetimeParts = Readonly<{
  clock: Clock;
  activity: Activity;
  /** On the clock that never goes back; asked again after each wait, so it may move. */
  expiresAtMonoMs: () => number;
  idleMs: number | undefined;
  /** The watch ends with this signal. */
  signal: AbortSignal;
  onEnd: (reason: 'lifetime' | 'idle') => void;
}>;

/** Calls `onEnd` once, when the lifetime is over or nobody has used the sandbox for `idleMs`. */
export async function watchLifetime(parts: LifetimeParts): Promise<void> {
  while (!parts.signal.aborted) {
    const left = parts.expiresAtMonoMs() - parts.clock.now().monoMs;
    const idleLeft = (parts.idleMs ?? Number.POSITIVE_INFINITY) - parts.activity.idleMs;
    if (left <= 0) return parts.onEnd('lifetime');
    if (idleLeft <= 0) return parts.onEnd('idle');
    // The sleep rejects only when the signal fires, which the loop's head sees.
    await parts.clock
      .sleep(Math.ceil(Math.min(left, idleLeft)), parts.signal)
      .catch(() => undefined);
  }
}
