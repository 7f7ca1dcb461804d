import { createEffects, createLimiter } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { ServerContext } from './context.ts';
import { closeEnvironments, openEnvironments } from './environments/open-environments.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { listen } from './http/listen.ts';
import { Refusal } from './http/refusal.ts';
import { ItemTurns } from './open-env/item-turns.ts';
import { serveSockets } from './open-env/serve-sockets.ts';
import { SessionTable } from './open-env/session-table.ts';
import type { RolloutServer, RolloutServerOptions } from './types.ts';

const HOUR_MS = 3_600_000;
const HEARTBEAT_MS = 30_000;

/** Starts the service. Throws a HermesError with code CONFIG: a wrong configuration, a port that is taken, a host that others reach without a token. */
export async function startRolloutServer(options: RolloutServerOptions): Promise<RolloutServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  checkToken(host, options.token);
  const end = new AbortController();
  const context = await openContext(options, end.signal);
  const http = createHttpServer(context);
  serveSockets(context, http.server);
  const baseUrl = await listen(http.server, host, port).catch(async (error: unknown) => {
    await closeEnvironments(context.environments);
    throw error;
  });
  const sweeping = context.sessions.keepSweeping(end.signal);
  let closing: Promise<void> | null = null;
  return {
    baseUrl,
    close() {
      end.abort(new Refusal(503, 'closing', 'The server is closing.'));
      closing ??= Promise.all([http.close(), context.sessions.endAll(), sweeping]).then(() =>
        closeEnvironments(context.environments),
      );
      return closing;
    },
  };
}

async function openContext(
  options: RolloutServerOptions,
  closing: AbortSignal,
): Promise<ServerContext> {
  const effects = createEffects(options.effects);
  const { openModel, run } = options;
  const limiter = createLimiter(run.scheduler?.rollouts ?? 4);
  const limits = {
    maxSessions: options.maxSessions ?? 1_000,
    idleMs: options.sessionIdleMs ?? HOUR_MS,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
  };
  return {
    environments: await openEnvironments(options.environments, effects, closing),
    openModel,
    run,
    limiter,
    sessions: new SessionTable(limits, effects),
    turns: new ItemTurns(),
    effects,
    token: options.token ?? null,
    requestTimeoutMs: options.requestTimeoutMs ?? HOUR_MS,
    bodyBytes: options.bodyBytes ?? 16 * 1024 * 1024,
    closing,
  };
}

function checkToken(host: string, token: string | undefined): void {
  const isLocal = /^(127\.[\d.]+|::1|localhost)$/.test(host);
  if (token === undefined && !isLocal)
    throw config(`${host} is reached by others: give a token that callers must show`);
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw config('a token is of printable characters without blanks');
}

function config(message: string): HermesError {
  return new HermesError('config', 'CONFIG', `The rollout server was not started: ${message}.`);
}
