import { type EnvironmentEntry, indexOf, type QueueState } from './queue-state.ts';

/** The answer to an environment that asks how much is wanted of it, in the names of the wire. */
export type EnvironmentStatus = Readonly<{
  current_step: number;
  queue_size: number;
  unallocated_fraction: number;
  self_queue_size: number;
  max_group_size: number;
  env_weight: number;
}>;

/** What the asking environment's group size counts as; the largest of its groups in the queue wins in `compat`. */
export type Asked = Readonly<{ environmentId: number; groupSize: number }>;

/** No environment weighs less: it would never be asked for anything. */
const LEAST_WEIGHT = 0.01;

type Connected = (entry: EnvironmentEntry, id: number) => boolean;

export function environmentStatus(
  state: QueueState,
  { environmentId, groupSize }: Asked,
  isConnected: Connected,
): EnvironmentStatus {
  const own = sequencesOf(state, environmentId);
  const others = othersSequences(state, environmentId, isConnected);
  const share = sumOf(connected(state, isConnected), ({ minBatchShare }) => minBatchShare ?? 0);
  return {
    current_step: state.step ?? 0,
    queue_size: Math.floor((own + others) / groupSize),
    unallocated_fraction: 1 - Math.min(share, 1),
    self_queue_size: Math.floor(own / groupSize),
    max_group_size: largestInQueue(state),
    env_weight: weightOf(state, environmentId, isConnected),
  };
}

/** NaN or infinite where the original divides by zero. */
export function totalWeight(state: QueueState, isConnected: Connected): number {
  return sumOf(
    connected(state, isConnected),
    ({ maxTokens, weight }) => maxTokens * Math.max(0, weight),
  );
}

/** The largest group of this environment in the queue, or its own size when that is larger. */
export function grownGroupSize(state: QueueState, environmentId: number, own: number): number {
  return (state.queue ?? []).reduce(
    (largest, group) =>
      group.environmentId === environmentId ? Math.max(largest, group.size) : largest,
    own,
  );
}

function weightOf(state: QueueState, environmentId: number, isConnected: Connected): number {
  const entry = state.environments?.[indexOf(state, environmentId)];
  const total = totalWeight(state, isConnected);
  if (entry === undefined || total === 0) return LEAST_WEIGHT;
  return Math.max(LEAST_WEIGHT, (entry.maxTokens * entry.weight) / total);
}

function connected(state: QueueState, isConnected: Connected): readonly EnvironmentEntry[] {
  return (state.environments ?? []).filter(isConnected);
}

function sequencesOf(state: QueueState, environmentId: number): number {
  return sumOf(state.queue ?? [], (group) =>
    group.environmentId === environmentId ? group.size : 0,
  );
}

/** What the others have beyond what they are promised, in packs of the largest group; nothing while all groups hold one sequence. */
function othersSequences(state: QueueState, environmentId: number, isConnected: Connected): number {
  const packSize = largestInQueue(state);
  if (packSize <= 1) return 0;
  const ids = new Set((state.queue ?? []).map((group) => group.environmentId));
  ids.delete(environmentId);
  return sumOf([...ids], (id) => {
    const sequences = sumOf(state.queue ?? [], (group) =>
      group.environmentId === id ? group.size : 0,
    );
    const packed = Math.ceil(sequences / packSize) * packSize;
    return Math.max(0, packed - promisedSequences(state, id, isConnected));
  });
}

function promisedSequences(state: QueueState, id: number | null, isConnected: Connected): number {
  const entry = id === null ? undefined : state.environments?.[id];
  if (id === null || entry?.minBatchShare == null || !isConnected(entry, id)) return 0;
  return Math.trunc((state.batchSize ?? 0) * entry.minBatchShare);
}

function largestInQueue(state: QueueState): number {
  return (state.queue ?? []).reduce((largest, { size }) => Math.max(largest, size), 1);
}

function sumOf<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0);
}
