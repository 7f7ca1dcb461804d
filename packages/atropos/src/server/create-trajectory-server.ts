import { createServer, type Server } from 'node:http';
import type { Clock, Logger } from '@hermes/protocol';
import { withDefaultEffects } from '../_effects.ts';
import type { QueueState } from '../queue/queue-state.ts';
import { openStore } from '../store/open-store.ts';
import { callerCheck } from './caller-check.ts';
import { createCounters } from './counters.ts';
import { handleRequest } from './handle-request.ts';
import { listen, refuseTaken } from './listen.ts';
import type { TrajectoryMode } from './refusal.ts';
import { tellFaults } from './tell-faults.ts';
import { createTrajectoryQueue } from './trajectory-queue.ts';

export type TrajectoryServerOptions = Readonly<{
  /** Where the log is kept, so that no acknowledged group is lost whatever ends this process. Absent: in memory only. */
  directory?: string;
  /** Default `compat`. */
  mode?: TrajectoryMode;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 8000; 0 = any free one. */
  port?: number;
  /** What every caller must bear (`Authorization: Bearer TOKEN`); else it is answered 401. Default: anybody may call. */
  token?: string;
  /** Groups beyond this are told to come again later. Default 1 GiB. */
  maxQueueBytes?: number;
  /** Of one request, unzipped. Default 256 MiB. */
  maxBodyBytes?: number;
  /** strict: an environment silent for so long counts as gone. Default 10 minutes. */
  idleMs?: number;
  /** A log shorter than this is never rewritten. Default 64 MiB. */
  rewriteBytes?: number;
  effects?: Partial<Readonly<{ clock: Clock; logger: Logger }>>;
}>;

/** A running trajectory server. */
export interface TrajectoryServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  /** How far the trainer is by what it has received; a batch under way does not count. totalSteps null: there is no trainer yet, or it has no end. */
  progress(): Readonly<{ step: number; totalSteps: number | null }>;
  /** Answers what is under way (at most 5 s), then closes the log. Idempotent. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
const CLOSE_MS = 5000;

/**
 * Starts a server that speaks the run-api protocol. Throws `TrainerError`: PORT_IN_USE; LOG_IN_USE or LOG_DAMAGED where the directory has
 * another server or a broken log; CONFIG where nothing can be kept there or the port is none.
 */
export async function createTrajectoryServer(
  options: TrajectoryServerOptions = {},
): Promise<TrajectoryServer> {
  const { clock, logger } = withDefaultEffects(options.effects);
  const mode = options.mode ?? 'compat';
  const { host = '127.0.0.1', port: wanted = 8000 } = options;
  await refuseTaken(host, wanted); // before anything is left in the directory
  const store = await openStore({
    directory: options.directory ?? null,
    logger,
    rewriteBytes: options.rewriteBytes ?? 64 * MIB,
  });
  const queue = createTrajectoryQueue(store, {
    mode,
    clock,
    maxQueueBytes: options.maxQueueBytes ?? 1024 * MIB,
    idleMs: options.idleMs ?? 600_000,
  });
  const counters = createCounters(logger);
  const context = {
    queue,
    mode,
    counters,
    tellFault: tellFaults(clock, logger),
    logBytes: () => store.logBytes,
    maxBodyBytes: options.maxBodyBytes ?? 256 * MIB,
    mayCall: callerCheck(options.token ?? null),
  };
  const server = createServer((request, response) => {
    handleRequest(context, request, response).catch((error: unknown) =>
      logger.log('warn', `A connection ended in mid request: ${String(error)}`),
    );
  });
  const port = await listen(server, host, wanted).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= stop(server)
      .then(() => counters.settled())
      .then(() => store.close());
    return closing;
  };
  return {
    baseUrl: `http://${addressOf(host)}:${port}`,
    port,
    progress: () => progressOf(store.state),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function progressOf({ step, ready, totalSteps }: QueueState) {
  const hasEnd = totalSteps !== null && totalSteps > 0;
  return { step: (step ?? 0) - ready.length, totalSteps: hasEnd ? totalSteps : null };
}

async function stop(server: Server): Promise<void> {
  const overdue = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(overdue);
}

/** Where a server on this host is reached from here. */
function addressOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
