import type { GatewayEffects } from './_effects.ts';
import type { Keys } from './http/keys.ts';
import { Refusal } from './http/refusal.ts';
import type { SessionTable } from './sessions/session-table.ts';
import type { GatewayBackend, GatewayOptions } from './types.ts';

/** What every route works with. */
export type GatewayContext = {
  readonly table: SessionTable;
  readonly keys: Keys;
  readonly effects: GatewayEffects;
  readonly callTimeoutMs: number;
  readonly bodyBytes: number;
  readonly setup: GatewayOptions['setup'];
  /** Who answers now; `POST /setup` puts another in its place. */
  backend: GatewayBackend | null;
  baseUrl: string;
};

/** Throws a Refusal with 503 as long as nobody answers. */
export function backendOf({ backend }: GatewayContext): GatewayBackend {
  if (backend !== null) return backend;
  throw new Refusal(503, 'no_model', 'No model is set up yet: POST /setup names its servers.');
}
