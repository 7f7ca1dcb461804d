import type { Environment, EnvironmentDefinition, RunOptions } from '@hermes/env-core';
import type { ChatModel, Effects, JsonObject, Sampling } from '@hermes/protocol';

/** An environment that the server plays. */
export type ServedEnvironment = EnvironmentToOpen | OpenEnvironment;

/** Is opened when the server starts and closed with it. */
export type EnvironmentToOpen = Readonly<{
  definition: EnvironmentDefinition;
  /** As its schema takes it. */
  config: unknown;
  /** A model for grading. Default: none. */
  judge?: ChatModel;
}>;

/** Was opened by somebody else, who closes it after the server. */
export type OpenEnvironment = Readonly<{
  definition: Pick<EnvironmentDefinition, 'id' | 'version' | 'description'>;
  environment: Environment;
  /** Goes into the identity of its rollouts: see `configDigest` of `@hermes/env-core`. */
  configDigest: string;
}>;

/** What all rollouts have in common, as in the options of a run. `scheduler.rollouts` is the limit of all requests together. */
export type RolloutRules = Omit<
  RunOptions<unknown>,
  | 'definition'
  | 'environment'
  | 'model'
  | 'sampling'
  | 'seed'
  | 'directory'
  | 'metrics'
  | 'effects'
  | 'signal'
> &
  Readonly<{
    /** Values that a request does not say. */
    sampling?: Sampling;
  }>;

/** Options of `startRolloutServer`. */
export type RolloutServerOptions = Readonly<{
  /** Each has an id of its own. */
  environments: readonly ServedEnvironment[];
  /**
   * The model of one request; it is given the object `model` of the body. A thrown `HermesError` with code `CONFIG` refuses
   * the request with 400 and its message.
   */
  openModel: (
    model: JsonObject,
  ) => RunOptions<unknown>['model'] | Promise<RunOptions<unknown>['model']>;
  run: RolloutRules;
  /** Default 127.0.0.1. Another host needs a token. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** What a caller has to show: `Authorization: Bearer TOKEN` or `x-api-key: TOKEN`. Absent: nobody is asked. */
  token?: string;
  /** Longest time of a request that does not say its own. Default one hour. */
  requestTimeoutMs?: number;
  /** Largest request in bytes. Default 16 MiB. */
  bodyBytes?: number;
  /** OpenEnv sessions at once. Default 1,000. */
  maxSessions?: number;
  /** An OpenEnv session without a message for so long is ended. Default one hour. */
  sessionIdleMs?: number;
  /** A WebSocket that leaves a ping unanswered for so long is gone. Default 30 s. */
  heartbeatMs?: number;
  effects?: Partial<Effects>;
}>;

/** A running service. */
export interface RolloutServer {
  /** `http://host:port`, without a slash at the end. */
  readonly baseUrl: string;
  /** Cancels what runs, waits for its end and closes the environments. Idempotent. */
  close(): Promise<void>;
}
