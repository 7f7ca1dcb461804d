import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import type { ExitCode } from '../exit-codes.ts';
import { withRun } from '../open-run.ts';
import { readToken } from '../read-token.ts';
import type { RolloutServerFlags } from '../rollout-server/rollout-server-flags.ts';
import { serveRollouts } from '../rollout-server/serve-rollouts.ts';

/** `hermes rollout-server`: configuration, then concrete parts, then rollouts for whoever asks. */
export async function runRolloutServer(
  environment: string,
  flags: RolloutServerFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const token = await readToken('--token-file', flags.tokenFile, context);
  const request = { command: 'evaluate', flags, dotted, playsOtherModels: true } as const;
  return withRun(environment, request, context, (run) => serveRollouts(run, flags, token, context));
}
