import type { JsonObject } from '@hermes/protocol';

/** One request to an engine. The path begins with `/` and is below the root of the server, `/v1` included. */
export type WireRequest = Readonly<{ method: 'GET' | 'POST'; path: string; body?: JsonObject }>;

/** The way to an engine. What comes back is parsed, and is never an error body: those are thrown as a `ModelError`. */
export interface EngineWire {
  /** For messages; without secrets. */
  readonly address: string;
  /** The whole answer. */
  send(request: WireRequest, signal: AbortSignal): Promise<unknown>;
  /** The events of a stream, as they come. Absent: this way has no streams. */
  stream?(request: WireRequest, signal: AbortSignal): AsyncIterable<unknown>;
  close(): Promise<void>;
}
