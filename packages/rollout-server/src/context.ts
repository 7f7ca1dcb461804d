import type { Effects, Limiter } from '@hermes/protocol';
import type { OpenedEnvironment } from './environments/open-environments.ts';
import type { ItemTurns } from './open-env/item-turns.ts';
import type { SessionTable } from './open-env/session-table.ts';
import type { RolloutServerOptions } from './types.ts';

/** What every route works with. */
export type ServerContext = Readonly<{
  environments: ReadonlyMap<string, OpenedEnvironment>;
  openModel: RolloutServerOptions['openModel'];
  run: RolloutServerOptions['run'];
  /** Of the rollouts of all requests, first come first served. */
  limiter: Limiter;
  /** Of OpenEnv. */
  sessions: SessionTable;
  turns: ItemTurns;
  effects: Effects;
  token: string | null;
  requestTimeoutMs: number;
  bodyBytes: number;
  /** Fires when the server closes. */
  closing: AbortSignal;
}>;
