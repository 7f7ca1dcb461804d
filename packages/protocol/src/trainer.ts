import type { JsonObject, JsonValue } from './json.ts';
import type { Message } from './messages.ts';

export type ScoredSequence = Readonly<{
  tokens: readonly number[];
  mask: readonly number[];
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
export type ScoredGroup = Readonly<{
  groupId: string;
  sequences: readonly ScoredSequence[];
  groupOverrides?: JsonObject;
  generation?: JsonObject;
}>;
export type EnvironmentRegistration = Readonly<{
  name: string;
  maxTokens: number;
  weight: number;
  groupSize: number;
  minBatchShare: number | null;
}>;
export type RegisterResult = Readonly<
  | { status: 'wait' }
  | {
      status: 'registered';
      environmentId: number;
      name: string;
      step: number;
      totalSteps: number | null;
      checkpointDir: string;
      checkpointEvery: number;
    }
>;
export type TrainerStatus = Readonly<{
  step: number;
  queuedGroups: number;
  ownQueuedGroups: number;
  unallocatedShare: number;
  maxGroupSize: number;
  weight: number;
}>;
/** refused: the trainer will never take this group; the caller keeps it and counts the reason. Connection loss throws (boundary trainer, retryable) after own retries. */
export type SendResult = Readonly<
  | { status: 'received' }
  | { status: 'buffered'; sequences: number }
  | { status: 'refused'; reason: string }
>;
/** The environment's side. Nothing is sent before registerEnvironment answered `registered`. */
export interface TrainerSink {
  registerEnvironment(
    registration: EnvironmentRegistration,
    signal: AbortSignal,
  ): Promise<RegisterResult>;
  trainerInfo(
    signal: AbortSignal,
  ): Promise<Readonly<{ batchSize: number | null; maxTokens: number | null }>>;
  status(environmentId: number, signal: AbortSignal): Promise<TrainerStatus>;
  send(
    environmentId: number,
    groups: readonly ScoredGroup[],
    signal: AbortSignal,
  ): Promise<readonly SendResult[]>; // one result a group, in order
  disconnect(environmentId: number): Promise<void>;
}
/** Both sides: spoken by the client over HTTP and by the server's core in memory, so both run the same 22 cases. takeBatch null = no full batch yet. */
export interface TrajectoryApi extends TrainerSink {
  registerTrainer(
    registration: TrainerRegistration,
    signal: AbortSignal,
  ): Promise<{ readonly uuid: string }>;
  takeBatch(signal: AbortSignal): Promise<readonly ScoredGroup[] | null>;
  reset(signal: AbortSignal): Promise<void>;
}
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
/** Never throws and never blocks a rollout; close flushes, bounded. Values must be finite; tables are rows of cells. */
export interface MetricSink {
  write(step: number, wallMs: number, values: Readonly<Record<string, number>>): void;
  table?(
    name: string,
    step: number,
    columns: readonly string[],
    rows: readonly (readonly JsonValue[])[],
  ): void;
  close(): Promise<void>;
}
