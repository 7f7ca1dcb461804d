import type { JsonObject } from '@hermes/protocol';

/** A group that waits for its batch. */
export type QueuedGroup = Readonly<{
  /** Counted by this queue; never used again. */
  id: number;
  json: Buffer;
  size: number;
  environmentId: number | null;
  isFinite: boolean;
}>;

/** An environment that has registered. Never removed: its id is its place in the list. */
export type EnvironmentEntry = Readonly<{
  desiredName: string;
  realName: string;
  maxTokens: number;
  weight: number;
  groupSize: number;
  minBatchShare: number | null;
  isConnected: boolean;
}>;

/** A batch that was formed and not yet received by a trainer. */
export type ReadyBatch = Readonly<{ id: number; groups: readonly QueuedGroup[] }>;

/**
 * Everything the server knows, changed by `applyRecord` alone. null is what the original has not set yet; some of its answers depend on
 * that, and `compat` gives the same ones.
 */
export type QueueState = {
  queue: QueuedGroup[] | null;
  buffers: Map<number, QueuedGroup[]>;
  ready: ReadyBatch[];
  latest: QueuedGroup | null;
  environments: EnvironmentEntry[] | null;
  /** True once a trainer asked for a batch: from then on environments may register. */
  hasStarted: boolean | null;
  step: number | null;
  group: string | null;
  project: string | null;
  batchSize: number | null;
  maxTokens: number | null;
  checkpointDir: string;
  checkpointEvery: number | null;
  totalSteps: number | null;
  /** Of the JSON of all groups that are still owed to a trainer. */
  waitingBytes: number;
  nextGroupId: number;
  nextBatchId: number;
  /** What sends with a key were answered: a repeated one gets the same answer and changes nothing. */
  answers: Map<string, JsonObject>;
};

export function emptyState(): QueueState {
  return {
    queue: null,
    buffers: new Map(),
    ready: [],
    latest: null,
    environments: null,
    hasStarted: null,
    step: null,
    group: null,
    project: null,
    batchSize: null,
    maxTokens: null,
    checkpointDir: '',
    checkpointEvery: null,
    totalSteps: null,
    waitingBytes: 0,
    nextGroupId: 0,
    nextBatchId: 0,
    answers: new Map(),
  };
}

/** All groups that are still owed to a trainer. */
export function* waitingGroups(state: QueueState): Generator<QueuedGroup> {
  yield* state.queue ?? [];
  for (const buffer of state.buffers.values()) yield* buffer;
  for (const batch of state.ready) yield* batch.groups;
}

/** As Python indexes a list: -1 is the last one. */
export function indexOf(state: QueueState, environmentId: number): number {
  return environmentId < 0 ? (state.environments?.length ?? 0) + environmentId : environmentId;
}
