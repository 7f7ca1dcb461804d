import type { Logger } from '@hermes/protocol';

/** What is counted from the start of the server. */
export const counterNames = [
  'groups_received',
  'groups_refused',
  'batches_handed_out',
  'batches_returned',
] as const;

type CounterName = (typeof counterNames)[number];

export interface Counters {
  readonly values: Readonly<Record<CounterName, number>>;
  count(name: CounterName, by?: number): void;
  /** For work that nobody waits for: its failure is logged. */
  watch(work: Promise<void>): void;
  /** Resolves when all of that work is done. */
  settled(): Promise<void>;
}

export function createCounters(logger: Logger): Counters {
  const values: Record<CounterName, number> = {
    groups_received: 0,
    groups_refused: 0,
    batches_handed_out: 0,
    batches_returned: 0,
  };
  const running = new Set<Promise<void>>();
  return {
    values,
    count(name, by = 1) {
      values[name] += by;
    },
    watch(work) {
      const watched = work
        .catch((error: unknown) =>
          logger.log('error', `A batch's receipt could not be written: ${String(error)}`),
        )
        .finally(() => running.delete(watched));
      running.add(watched);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
