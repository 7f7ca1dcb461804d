import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayContext } from '../context.ts';
import type { Dialect } from '../dialects/dialect.ts';

/** A request that found its route. */
export type Visit = Readonly<{
  request: IncomingMessage;
  response: ServerResponse;
  /** From the path or the header; null = neither names one. */
  sessionId: string | null;
}>;

/** One row of the API. */
export type Route = Readonly<{
  method: 'GET' | 'POST' | 'DELETE';
  /** Who may call it: whoever has the token, also the agent of the session, or anybody. */
  access: 'token' | 'session' | 'anybody';
  /** Whose form an error has. */
  dialect: Dialect;
  serve: (context: GatewayContext, visit: Visit) => Promise<void>;
}>;
