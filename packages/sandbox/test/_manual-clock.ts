import type { Clock } from '@hermes/protocol';

type Sleeper = Readonly<{ atMs: number; wake: () => void }>;

/** A clock that stands still until it is told to go on. */
export function createManualClock(): Clock & Readonly<{ advance: (ms: number) => Promise<void> }> {
  let nowMs = 1_000_000;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => ({ wallMs: nowMs, monoMs: nowMs }),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { atMs: nowMs + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance: async (ms) => {
      nowMs += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.atMs > nowMs) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
