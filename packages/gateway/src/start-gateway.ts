import { createServer, type Server } from 'node:http';
import { HermesError } from '@hermes/protocol';
import { systemEffects } from './_effects.ts';
import type { GatewayContext } from './context.ts';
import { handleRequest } from './http/handle-request.ts';
import { createKeys } from './http/keys.ts';
import { listen } from './http/listen.ts';
import { keepSweeping } from './sessions/keep-sweeping.ts';
import { SessionTable } from './sessions/session-table.ts';
import type { Gateway, GatewayOptions } from './types.ts';

const HOUR_MS = 3_600_000;
const CLOSE_MS = 5_000;

/** Starts the proxy. Throws a HermesError with code CONFIG: a port that is taken, a host that others reach without a token. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host = '127.0.0.1', port = 0, sessionIdleMs = HOUR_MS } = options;
  checkToken(host, options.token);
  const context = contextOf(options, sessionIdleMs);
  const server = createServer(
    (request, response) => void handleRequest(context, request, response),
  );
  context.baseUrl = await listen(server, host, port);
  const ended = new AbortController();
  const sweeping = keepSweeping(context.table, sessionIdleMs, context.effects, ended.signal);
  let closing: Promise<void> | null = null;
  return {
    baseUrl: context.baseUrl,
    segments: (id) => context.table.find(id)?.model.segments?.() ?? null,
    sessionKey: (id) => context.keys.ofSession(id),
    async endSession(id) {
      await context.table.end(id);
    },
    close() {
      ended.abort();
      closing ??= Promise.all([stop(server, context), sweeping]).then(() => undefined);
      return closing;
    },
  };
}

function contextOf(options: GatewayOptions, idleMs: number): GatewayContext {
  const { backend, bodyBytes = 64 * 1024 * 1024, maxSessions = 10_000, setup } = options;
  const effects = systemEffects(options.effects);
  return {
    table: new SessionTable({ idleMs, maxSessions }, effects),
    keys: createKeys(options.token ?? null),
    effects,
    callTimeoutMs: options.callTimeoutMs ?? HOUR_MS / 3,
    bodyBytes,
    setup,
    backend,
    baseUrl: '',
  };
}

/** The sessions end first: that ends the calls whose answers are still waited for. */
async function stop(server: Server, context: GatewayContext): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await context.table.endAll();
  const overdue = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  server.closeIdleConnections();
  await closed;
  clearTimeout(overdue);
  await context.backend?.close?.(); // a setup may have come in meanwhile
}

function checkToken(host: string, token: string | undefined): void {
  const isLocal = /^(127\.[\d.]+|::1|localhost)$/.test(host);
  if (token === undefined && !isLocal)
    throw config(`${host} is reached by others: give a token that callers must show`);
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw config('a token is of printable characters without blanks');
}

function config(message: string): HermesError {
  return new HermesError('config', 'CONFIG', `The gateway was not started: ${message}.`);
}
