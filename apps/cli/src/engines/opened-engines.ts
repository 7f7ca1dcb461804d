import type { TokenEngine } from '@hermes/protocol';

/** A server behind a model, as people see it. */
export type ServerState = Readonly<{ baseUrl: string; isHealthy: boolean }>;

/** Engines of one model that are open. */
export interface OpenedEngines {
  /** All of them as one. */
  readonly engine: TokenEngine;
  /** How many calls may be under way at once. */
  readonly calls: number;
  /** The engine of one address; undefined = there is none. */
  at(baseUrl: string): TokenEngine | undefined;
  servers(): readonly ServerState[];
  /** How the calls of each server went so far. */
  stats(): Readonly<Record<string, number>>;
  /** A rollout has ended: its place is free. */
  release(rolloutId: string): void;
  close(): Promise<void>;
}
