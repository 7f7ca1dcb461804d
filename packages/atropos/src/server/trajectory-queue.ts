import type { Clock, JsonObject } from '@hermes/protocol';
import {
  type EnvironmentStatus,
  environmentStatus,
  grownGroupSize,
  totalWeight,
} from '../queue/environment-status.ts';
import {
  type EnvironmentEntry,
  indexOf,
  type QueueState,
  type ReadyBatch,
} from '../queue/queue-state.ts';
import type { Store } from '../store/open-store.ts';
import type { EnvironmentBody, TrainerBody } from '../wire/registrations.ts';
import type { ReceivedGroup } from '../wire/scored-data.ts';
import { createBatchLine } from './batch-line.ts';
import { checkGroups } from './check-groups.ts';
import { createConnections } from './connections.ts';
import { internal, type Refusal, refusal, type TrajectoryMode } from './refusal.ts';

export type QueueOptions = Readonly<{
  mode: TrajectoryMode;
  clock: Clock;
  maxQueueBytes: number;
  /** strict: an environment that was silent for so long counts as gone. */
  idleMs: number;
}>;

/** The rules of the trajectory API over a store. What changes something is durable before it is answered. */
export interface TrajectoryQueue {
  readonly state: QueueState;
  /** As the mode counts it: batches formed (`compat`) or handed out (`strict`). */
  readonly step: number;
  connected(): readonly EnvironmentEntry[];
  registerTrainer(body: TrainerBody): Promise<void>;
  /** null: no trainer has started yet. */
  registerEnvironment(body: EnvironmentBody): Promise<JsonObject | Refusal | null>;
  disconnect(environmentId: number): Promise<JsonObject>;
  /** key: a repeated send with the same key gets the same answer and adds nothing. */
  add(
    groups: readonly ReceivedGroup[],
    isList: boolean,
    key: string | null,
  ): Promise<JsonObject | Refusal>;
  /** null: there is no full batch. A batch is this caller's until `settle`. */
  take(): Promise<ReadyBatch | Refusal | null>;
  settle(batch: ReadyBatch, wasReceived: boolean): Promise<void>;
  status(environmentId: number): Promise<EnvironmentStatus | Refusal>;
  reset(): Promise<void>;
}

export function createTrajectoryQueue(store: Store, options: QueueOptions): TrajectoryQueue {
  const { state } = store;
  const isStrict = options.mode === 'strict';
  const connections = createConnections(options.clock, isStrict ? options.idleMs : null);
  const line = createBatchLine(store, isStrict ? 'first' : 'last', connections.isConnected);
  const entryOf = (id: number) =>
    isStrict && id < 0 ? undefined : state.environments?.[indexOf(state, id)];

  return {
    state,
    get step() {
      const waiting = isStrict ? state.ready.length - line.underWay : 0;
      return (state.step ?? 0) - waiting;
    },
    connected: () => (state.environments ?? []).filter(connections.isConnected),
    async registerTrainer(body) {
      await store.change({ type: 'trainer', body });
    },
    async registerEnvironment(body) {
      if (state.hasStarted !== true) return null;
      if (state.checkpointEvery === null) return internal;
      const answer = await store.change({ type: 'environment', body });
      connections.saw(Number(answer.env_id));
      return answer;
    },
    async disconnect(environmentId) {
      if (state.environments === null) return failure("'State' object has no attribute 'envs'");
      if (entryOf(environmentId) === undefined) return failure('list index out of range');
      return store.change({ type: 'disconnect', environmentId });
    },
    async add(groups, isList, key) {
      const refused = checkGroups(state, groups, options);
      if (refused !== null) return refused;
      for (const { environmentId } of groups)
        if (environmentId !== null) connections.saw(environmentId);
      const heads = groups.map(({ json: _json, ...head }) => head);
      const parts = groups.map(({ json }) => json);
      return store.change({ type: 'groups', isList, key, heads }, parts);
    },
    async take() {
      const isUnknown = state.hasStarted === null || (isStrict && state.queue === null);
      if (isUnknown) return refusal('no_trainer', 'Trainer not registered. Call /register first.');
      if (!state.hasStarted) await store.change({ type: 'start' });
      const batch = await line.take();
      return batch === null && state.queue === null ? internal : batch;
    },
    settle: line.settle,
    async status(environmentId) {
      const entry = entryOf(environmentId);
      if (entry === undefined)
        return isStrict ? refusal('unknown_environment', unknown(environmentId)) : internal;
      connections.saw(environmentId);
      if (!isStrict && totalWeight(state, connections.isConnected) === 0) return internal;
      const groupSize = isStrict
        ? Math.max(1, entry.groupSize)
        : grownGroupSize(state, environmentId, entry.groupSize);
      if (groupSize === 0) return internal;
      if (!isStrict && groupSize !== entry.groupSize)
        await store.change({ type: 'group_size', environmentId, groupSize });
      return environmentStatus(state, { environmentId, groupSize }, connections.isConnected);
    },
    async reset() {
      await store.change({ type: 'reset' });
    },
  };
}

function failure(error: string): JsonObject {
  return { status: 'failure', error };
}

function unknown(environmentId: number): string {
  return `No environment ${environmentId} is registered. Call /register-env first.`;
}
