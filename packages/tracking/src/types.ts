import type { JsonObject, JsonValue, MetricSink } from '@hermes/protocol';

/** Where the numbers of a run go. It never throws and never makes the run wait; what it cannot do is said once, to the logger. */
export interface Tracker extends MetricSink {
  /** Numbers of the run as a whole, such as its cost. The last value of a name stays. */
  summary(values: Readonly<Record<string, number>>): void;
  /** Hands over what waits, and ends within the deadline whatever the targets do. Idempotent. */
  close(): Promise<void>;
}

/** Something to be kept. `step` is the one that the numbers belong to; `wallMs` when it was said. */
export type TrackedEntry = Readonly<{ step: number; wallMs: number }> &
  Readonly<
    | { kind: 'scalars' | 'summary'; values: Readonly<Record<string, number>> }
    | {
        kind: 'table';
        name: string;
        columns: readonly string[];
        rows: readonly (readonly JsonValue[])[];
      }
  >;

/** One place that entries go to: a file, a service. */
export interface MetricTarget {
  /** What a notice calls it. */
  readonly name: string;
  /**
   * Called with one batch after another, in order, never with two at once. After a rejection the same
   * batch comes again later; a HermesError that is not `retryable` ends the target for this run.
   * The signal fires when the tracker's deadline is over.
   */
  write(entries: readonly TrackedEntry[], signal: AbortSignal): Promise<void>;
  /**
   * Called once when all is written; and once more, with an aborted signal, where that or a write did
   * not end in time: then it lets go of everything at once.
   */
  close(signal: AbortSignal): Promise<void>;
}

/** How patient a tracker is. */
export type TrackerOptions = Readonly<{
  /** For all targets together to end. Default 30,000. */
  closeMs?: number;
  /** Between a failed write and the next. Default 15,000. */
  retryMs?: number;
  /** Entries that may wait for a target; then the oldest are dropped. Default 10,000. */
  maxWaiting?: number;
}>;

/** Settings of `openTracker`; what is absent is not used. */
export type TrackingSettings = TrackerOptions &
  Readonly<{
    jsonl?: Readonly<{ path: string }>;
    tensorBoard?: Readonly<{ folder: string }>;
    openTelemetry?: OpenTelemetrySettings;
    /** A function is asked when there is something to write: where a name is known only then. */
    wandb?: WandbSettings | (() => Promise<WandbSettings>);
  }>;

/** Where an OpenTelemetry collector listens. */
export type OpenTelemetrySettings = Readonly<{
  /** The whole address, `/v1/metrics` included. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Of the resource: `service.name` and what else tells this run from others. */
  attributes?: Readonly<Record<string, string>>;
  /** Of one request. Default 10,000. */
  timeoutMs?: number;
}>;

/** How a run is called at Weights & Biases, and by which Python it gets there. */
export type WandbSettings = Readonly<{
  mode: 'online' | 'offline';
  /** Its files go to `wandb/` below this folder. */
  folder: string;
  project: string;
  name: string;
  /** The same id goes on with the same run. Default: a new run. */
  id?: string;
  group?: string;
  jobType?: string;
  config?: JsonObject;
  /** Texts that never leave this machine, such as keys; `***` stands in their place. */
  secrets?: readonly string[];
  /** A Python that has the package `wandb`. Default `python3`. */
  python?: string;
  /** The environment of that Python: its `PATH`, `WANDB_API_KEY` and the other settings of the client. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Until the client is ready. Default 90,000. */
  startMs?: number;
  /** For one batch to be taken. Default 60,000. */
  answerMs?: number;
}>;
