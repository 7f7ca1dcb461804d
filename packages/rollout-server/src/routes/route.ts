import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerContext } from '../context.ts';

/** A request that found its route. */
export type Visit = Readonly<{
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  /** The part of the path that varies; '' where none does. */
  part: string;
}>;

/** One row of the API. */
export type Route = Readonly<{
  method: 'GET' | 'POST';
  /** With `:id` where a part varies. */
  path: string;
  access: 'token' | 'anybody';
  serve: (context: ServerContext, visit: Visit) => Promise<void>;
}>;
