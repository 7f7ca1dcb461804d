import { resolve } from 'node:path';
import { createTrajectoryServer } from '@hermes/atropos';
import type { CliContext } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupted.ts';
import { note } from '../note.ts';
import { readToken } from '../read-token.ts';
import { loggerOf } from '../stderr-logger.ts';
import type { TrainerApiFlags } from '../training/trainer-api-flags.ts';

/** `hermes trainer-api`: the trajectory API in the place of `run-api`, until it is interrupted. */
export async function runTrainerApi(
  flags: TrainerApiFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { host, port, mode, logDir } = flags;
  const token = await readToken('--token-file', flags.tokenFile, context);
  const directory = logDir === undefined ? null : resolve(context.workingDirectory, logDir);
  await using server = await createTrajectoryServer({
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(mode === undefined ? {} : { mode }),
    ...(token === null ? {} : { token }),
    ...(directory === null ? {} : { directory }),
    effects: { logger: loggerOf(context) },
  });
  for (const text of notes(flags)) note(context, text);
  const { baseUrl, port: chosen } = server;
  context.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ url: baseUrl, port: chosen, logDirectory: directory })}\n`
      : `${baseUrl}\n`,
  );
  await interrupted(context.signal);
  return exitCodes.interrupted;
}

function notes({ host = '127.0.0.1', tokenFile, logDir }: TrainerApiFlags): readonly string[] {
  const isOpen = !/^(127\.|::1$|localhost$)/.test(host) && tokenFile === undefined;
  return [
    ...(logDir === undefined
      ? ['groups are kept in memory alone; with --log-dir they outlast this process']
      : []),
    ...(isOpen ? [`whoever reaches ${host} may read and send groups; see --token-file`] : []),
  ];
}
