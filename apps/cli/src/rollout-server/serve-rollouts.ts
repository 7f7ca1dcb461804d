import { type RolloutServerOptions, startRolloutServer } from '@hermes/rollout-server';
import type { CliContext } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupted.ts';
import type { OpenedRun } from '../open-run.ts';
import { requestedModel } from './requested-model.ts';
import type { RolloutServerFlags } from './rollout-server-flags.ts';

const DEFAULT_PORT = 9000;

/** The work of `hermes rollout-server`: plays what it is asked for until it is interrupted. token: null = nobody is asked for one. */
export async function serveRollouts(
  run: OpenedRun,
  flags: RolloutServerFlags,
  token: string | null,
  { stdout, signal }: CliContext,
): Promise<ExitCode> {
  const server = await startRolloutServer(serverOptions(run, flags, token));
  try {
    const { baseUrl } = server;
    stdout.write(flags.json === true ? `${JSON.stringify({ url: baseUrl })}\n` : `${baseUrl}\n`);
    await interrupted(signal);
  } finally {
    await server.close();
  }
  return exitCodes.interrupted;
}

function serverOptions(
  { options, definition: { id, version, description }, effects }: OpenedRun,
  { host, port = DEFAULT_PORT, maxSessions }: RolloutServerFlags,
  token: string | null,
): RolloutServerOptions {
  const { environment, model, definition, ...rules } = options;
  const { configDigest } = definition;
  return {
    environments: [{ definition: { id, version, description }, environment, configDigest }],
    openModel: (requested) => requestedModel(requested, model, effects),
    run: rules,
    port,
    ...(host === undefined ? {} : { host }),
    ...(token === null ? {} : { token }),
    ...(maxSessions === undefined ? {} : { maxSessions }),
    effects,
  };
}
