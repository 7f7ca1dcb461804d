import type { JsonObject, JsonValue } from './json.ts';
import type { Message } from './messages.ts';

/** One sequence to train on. `tokens`, `mask` and `logprobs` have equal length. */
export type ScoredSequence = Readonly<{
  tokens: readonly number[];
  /** -100 on context, the token's own id on what was sampled. */
  mask: readonly number[];
  /** 1.0 on context. */
  logprobs: readonly number[];
  score: number;
  rolloutId: string;
  advantages?: readonly number[];
  refLogprobs?: readonly number[];
  messages?: readonly Message[];
  overrides?: JsonObject;
  distillIds?: readonly (readonly number[])[];
  distillLogprobs?: readonly (readonly number[])[];
}>;

/** Sequences of one item that a trainer compares with each other. */
export type ScoredGroup = Readonly<{
  /** Of this group alone, and the same whenever it is sent again: a trainer may take what comes under an id once. */
  groupId: string;
  sequences: readonly ScoredSequence[];
  groupOverrides?: JsonObject;
  generation?: JsonObject;
}>;

/** How an environment introduces itself to a trainer. */
export type EnvironmentRegistration = Readonly<{
  name: string;
  maxTokens: number;
  weight: number;
  groupSize: number;
  /** Least share of a batch; null = none asked. */
  minBatchShare: number | null;
}>;

/** `wait`: the trainer is not there yet; ask again. */
export type RegisterResult = Readonly<
  | { status: 'wait' }
  | {
      status: 'registered';
      environmentId: number;
      name: string;
      step: number;
      /** null = without end. */
      totalSteps: number | null;
      checkpointDir: string;
      checkpointEvery: number;
    }
>;

/** What a trainer says about its queue. */
export type TrainerStatus = Readonly<{
  step: number;
  queuedGroups: number;
  ownQueuedGroups: number;
  unallocatedShare: number;
  maxGroupSize: number;
  weight: number;
}>;

/**
 * What became of a group. `refused`: the trainer will never take it; the caller keeps it and counts
 * the reason.
 */
export type SendResult = Readonly<
  | { status: 'received' }
  | { status: 'buffered'; sequences: number }
  | { status: 'refused'; reason: string }
>;

/**
 * The environment's side of a trainer. A lost connection throws (boundary `trainer`, retryable)
 * after its own retries.
 */
export interface TrainerSink {
  /** Nothing is sent before this answered `registered`. */
  registerEnvironment(
    registration: EnvironmentRegistration,
    signal: AbortSignal,
  ): Promise<RegisterResult>;
  /** null = the trainer has not said yet. */
  trainerInfo(
    signal: AbortSignal,
  ): Promise<Readonly<{ batchSize: number | null; maxTokens: number | null }>>;
  status(environmentId: number, signal: AbortSignal): Promise<TrainerStatus>;
  /** One result a group, in order. */
  send(
    environmentId: number,
    groups: readonly ScoredGroup[],
    signal: AbortSignal,
  ): Promise<readonly SendResult[]>;
  /**
   * Remembers which group the trainer has taken last, and then tells of any group whether it is that one:
   * for who may have sent it in an earlier process, and asks before anything is sent. Absent: it cannot tell.
   */
  lastTaken?(signal: AbortSignal): Promise<(group: ScoredGroup) => boolean>;
  disconnect(environmentId: number): Promise<void>;
}

/** Both sides of a trajectory API: spoken by a client over HTTP and by a server's core in memory. */
export interface TrajectoryApi extends TrainerSink {
  registerTrainer(
    registration: TrainerRegistration,
    signal: AbortSignal,
  ): Promise<{ readonly uuid: string }>;
  /** null = there is no full batch yet. */
  takeBatch(signal: AbortSignal): Promise<readonly ScoredGroup[] | null>;
  reset(signal: AbortSignal): Promise<void>;
}

/** How a trainer introduces itself. */
export type TrainerRegistration = Readonly<{
  group: string;
  project: string;
  batchSize: number;
  maxTokens: number;
  checkpointDir: string;
  checkpointEvery: number;
  startingStep: number;
  totalSteps: number;
}>;

/** Where numbers over time go. Never throws and never blocks a rollout. */
export interface MetricSink {
  /** Values must be finite. */
  write(step: number, wallMs: number, values: Readonly<Record<string, number>>): void;
  /** Rows of cells, in the order of the columns. */
  table?(
    name: string,
    step: number,
    columns: readonly string[],
    rows: readonly (readonly JsonValue[])[],
  ): void;
  /** Flushes, bounded in time. */
  close(): Promise<void>;
}
