import { formBatches } from '../queue/form-batches.ts';
import type { EnvironmentEntry, QueueState, ReadyBatch } from '../queue/queue-state.ts';
import type { Store } from '../store/open-store.ts';

/** Batches on their way to trainers. */
export interface BatchLine {
  /** How many batches are under way just now. */
  readonly underWay: number;
  /** The next batch, now this caller's; null = there is none. */
  take(): Promise<ReadyBatch | null>;
  /** Received: it is gone for good. Not received: the next one who asks gets it. */
  settle(batch: ReadyBatch, wasReceived: boolean): Promise<void>;
}

/** last: of several batches formed at once the last one goes out first, as in the original. */
export function createBatchLine(
  store: Store,
  order: 'first' | 'last',
  isConnected: (entry: EnvironmentEntry, id: number) => boolean,
): BatchLine {
  const { state } = store;
  const underWay = new Set<number>();
  let forming: Promise<void> = Promise.resolve();
  let receipts: Promise<unknown> = Promise.resolve();

  const next = () => nextReady(state, underWay, order);

  async function formMore(): Promise<void> {
    if (next() !== null) return;
    const batches = formBatches(state, isConnected);
    if (batches.length > 0) await store.change({ type: 'batches', batches });
  }

  /** One at a time: two at once would put the same groups into two batches. */
  function formInTurn(): Promise<void> {
    const turn = forming.then(formMore);
    forming = turn.catch(() => undefined); // the caller of this turn hears of it
    return turn;
  }

  return {
    get underWay() {
      return underWay.size;
    },
    async take() {
      // so that a crash can at most repeat the one batch that is under way
      await receipts;
      if (next() === null) await formInTurn();
      const batch = next();
      if (batch !== null) underWay.add(batch.id);
      return batch;
    },
    async settle(batch, wasReceived) {
      // a batch whose receipt cannot be written stays under way: it must not be given out twice
      const receipt = wasReceived ? store.change({ type: 'taken', batchId: batch.id }) : null;
      receipts = Promise.allSettled([receipts, receipt]);
      await receipt;
      underWay.delete(batch.id);
    },
  };
}

function nextReady(
  state: QueueState,
  underWay: ReadonlySet<number>,
  order: 'first' | 'last',
): ReadyBatch | null {
  const free = ({ id }: ReadyBatch) => !underWay.has(id);
  return (order === 'first' ? state.ready.find(free) : state.ready.findLast(free)) ?? null;
}
