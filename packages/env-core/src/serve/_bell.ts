import type { Clock } from '@hermes/protocol';

/** Wakes a loop that waits. A ring that nobody waits for is kept for the next wait. */
export type Bell = Readonly<{
  ring: () => void;
  /** Until it rings, the time is over, or the signal fires; never rejects. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}>;

/** A bell for one waiter. */
export function createBell(clock: Clock): Bell {
  let isRung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    wait: async (ms, signal) => {
      if (!isRung) {
        const nap = new AbortController();
        wake = () => nap.abort();
        await clock.sleep(ms, AbortSignal.any([nap.signal, signal])).catch(() => undefined);
        wake = null;
      }
      isRung = false;
    },
  };
}
