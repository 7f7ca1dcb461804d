import { grabExact } from './grab-exact.ts';
import { grabWithMinimums, type Minimum } from './grab-with-minimums.ts';
import type { EnvironmentEntry, QueueState } from './queue-state.ts';

/** What batch forming needs to know of a group. */
export type Sized = Readonly<{ id: number; size: number; environmentId: number | null }>;

/** As many full batches as the queue gives, each as the ids of its groups. Changes nothing. */
export function formBatches(
  state: QueueState,
  isConnected: (entry: EnvironmentEntry, id: number) => boolean,
): readonly (readonly number[])[] {
  const batchSize = state.batchSize ?? -1;
  const minimums = minimumsOf(state, isConnected);
  const batches: (readonly number[])[] = [];
  let queue: readonly Sized[] = state.queue ?? [];
  for (;;) {
    const batch =
      minimums.length > 0
        ? grabWithMinimums(queue, batchSize, minimums)
        : grabExact(queue, batchSize);
    if (batch === null) return batches;
    const taken = new Set(batch);
    batches.push(batch.map((index) => (queue[index] as Sized).id));
    queue = queue.filter((_group, index) => !taken.has(index));
  }
}

function minimumsOf(
  state: QueueState,
  isConnected: (entry: EnvironmentEntry, id: number) => boolean,
): readonly Minimum[] {
  return (state.environments ?? []).flatMap((entry, environmentId) =>
    entry.minBatchShare !== null && isConnected(entry, environmentId)
      ? [{ environmentId, share: entry.minBatchShare }]
      : [],
  );
}
