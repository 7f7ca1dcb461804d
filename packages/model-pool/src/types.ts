import type { ChatModel, Effects, Limiter, TokenEngine } from '@hermes/protocol';

/** What work is for; eval calls get a share of their own. */
export type Split = 'train' | 'eval';

/** One endpoint of a pool. */
export type PoolMember<M> = Readonly<{
  /** Unique in its pool; for logs and errors. */
  id: string;
  model: M;
  /** The most calls that the endpoint may get at once. Calls of a member that `open` gave go through it. */
  limiter: Limiter;
  /** Its part of the work, against the others. Default 1. */
  weight?: number;
  /**
   * Tells whether the endpoint is well, without generating; a throw, and no answer in 5 s, mean no.
   * null = there is no such question: health is seen from its calls alone.
   */
  probe: ((signal: AbortSignal) => Promise<boolean>) | null;
}>;

/** Several endpoints as one. */
export interface ModelPool<M> {
  /** As they were given. */
  readonly members: readonly PoolMember<M>[];
  /** What the last `resume` told; null = nothing. */
  readonly weightVersion: string | null;
  /**
   * The endpoint of a rollout: the same one as before while it is healthy, else the least loaded.
   * Waits, first come first served, while none is healthy or the pool is paused. Throws a
   * `ModelError`: `CANCELLED` by the signal or by `close`, `CONNECTION` when none got healthy in time.
   * Calls go through the `limiter` of what it gives.
   */
  open(rolloutId: string, split: Split, signal: AbortSignal): Promise<PoolMember<M>>;
  /**
   * Does one call on the rollout's endpoint, in a slot of its own. A call that still waits for a
   * slot moves on when its endpoint goes down. Rejects as `open`, or with the work's own error.
   */
  run<T>(call: PoolCall, work: (member: PoolMember<M>) => Promise<T>): Promise<T>;
  /** Forgets a rollout that has ended. Unused ones are forgotten after an hour. */
  release(rolloutId: string): void;
  /** From now on no call starts; running ones end. For an exchange of weights. */
  pause(): void;
  /** Calls start again. `weightVersion`: of the weights that they meet; null = not known. */
  resume(weightVersion: string | null): void;
  /** Numbers for a metric sink; see the README for the names. */
  stats(): Readonly<Record<string, number>>;
  /** Ends probes, waits and running calls. Idempotent. The models stay their maker's. */
  close(): Promise<void>;
}

/** A call of a rollout. */
export type PoolCall = Readonly<{ rolloutId: string; split: Split; signal: AbortSignal }>;

/** What can be in a pool. */
export type PooledModel = ChatModel | TokenEngine;

/** Options of `createModelPool`. */
export type ModelPoolOptions = Readonly<{
  /** Between two probes of an endpoint. Default 5000. */
  healthEveryMs?: number;
  /** Without a probe, how long an endpoint that failed is left alone. Default 30,000. */
  coolDownMs?: number;
  /** How long `open` waits for a healthy endpoint; time in pause does not count. Default 600,000. */
  maxWaitMs?: number;
  /** The part of an endpoint's slots that eval calls get while train calls wait, too. Default 0.125. */
  evalShare?: number;
  effects?: Partial<Effects>;
}>;
