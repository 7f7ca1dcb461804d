import { createServer, type Server, type ServerResponse } from 'node:http';
import type { ServerContext } from '../context.ts';
import { handleRequest } from './handle-request.ts';

/** A server of all routes. `close` waits for the work under way and lets its answers go out; a caller that takes too long to read is cut off. */
export function createHttpServer(
  context: ServerContext,
): Readonly<{ server: Server; close: () => Promise<void> }> {
  const visits = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    // both: a caller may hang up long before its work has ended
    const visit = Promise.all([handleRequest(context, request, response), hasEnded(response)]);
    visits.add(visit);
    void visit.finally(() => visits.delete(visit));
  });
  return {
    server,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      const overdue = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await Promise.all(visits);
      clearTimeout(overdue);
      // those that are kept alive without a request
      server.closeAllConnections();
      await closed;
    },
  };
}

const CLOSE_MS = 5_000;

function hasEnded(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', () => resolve()));
}
