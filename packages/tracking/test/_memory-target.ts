import type { MetricTarget, TrackedEntry } from '../src/index.ts';

/** A target that remembers, and does with each batch what the test says. */
export type MemoryTarget = MetricTarget & Readonly<{ taken: TrackedEntry[]; closes: boolean[] }>;

/** A rejection of `behave` leaves nothing taken. closes: one entry a call, whether its signal had fired. */
export function memoryTarget(
  behave: (signal: AbortSignal) => Promise<void> = async () => {},
): MemoryTarget {
  const taken: TrackedEntry[] = [];
  const closes: boolean[] = [];
  return {
    name: 'memory',
    taken,
    closes,
    write: async (entries, signal) => {
      await behave(signal);
      taken.push(...entries);
    },
    close: async (signal) => {
      closes.push(signal.aborted);
    },
  };
}
