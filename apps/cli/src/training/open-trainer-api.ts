import { join } from 'node:path';
import { createTrajectoryServer, type TrajectoryServer } from '@hermes/atropos';
import type { RunDirectory } from '@hermes/env-core';
import type { Clock } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import type { OpenedRun } from '../open-run.ts';
import type { ServeFlags } from './serve-flags.ts';

const POLL_MS = 200;

/** The trajectory API that `--with-trainer-api` asks for, at the address of the trainer and with its log in the run directory; null = it was not asked for. */
export async function openTrainerApi(
  { config, effects }: OpenedRun,
  { withTrainerApi }: ServeFlags,
  { token, directory }: Readonly<{ token: string | null; directory: RunDirectory }>,
  { stderr }: CliContext,
): Promise<TrajectoryServer | null> {
  if (withTrainerApi !== true) return null;
  const server = await createTrajectoryServer({
    ...addressOf(config.training.trainerUrl),
    ...(token === null ? {} : { token }),
    directory: join(directory.path, 'trainer-api'),
    effects,
  });
  stderr.write(`trajectory API: ${server.baseUrl}\n`);
  return server;
}

function addressOf(url: string): Readonly<{ host: string; port: number }> {
  const { protocol, hostname, port, pathname } = URL.canParse(url) ? new URL(url) : new URL('x:');
  if (protocol !== 'http:' || pathname !== '/')
    throw new HermesError(
      'config',
      'CONFIG',
      `--with-trainer-api listens at the trainer's address: ${url} must be like http://127.0.0.1:8000`,
    );
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? 80 : Number(port) };
}

/** Until the trainer has fetched the batches of all its steps, or the signal fires. */
export async function untilTaken(
  server: TrajectoryServer,
  steps: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const interrupted = () => undefined; // what is left is in the log
  while (server.progress().step < steps && !signal.aborted)
    await clock.sleep(POLL_MS, signal).catch(interrupted);
}
