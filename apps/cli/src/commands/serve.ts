import { commandDefaults } from '../config/command-defaults.ts';
import { flagOverrides } from '../config/flag-overrides.ts';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import type { ExitCode } from '../exit-codes.ts';
import { withRun } from '../open-run.ts';
import { checkResume } from '../run-directory-path.ts';
import { refuseUntrainable } from '../training/refuse-tokens.ts';
import { type ServeFlags, serveFlagGroups } from '../training/serve-flags.ts';
import { serveTrainer } from '../training/serve-trainer.ts';

/** `hermes serve`: configuration, then concrete parts, then groups for a trainer. */
export async function runServe(
  environment: string,
  flags: ServeFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  checkResume(flags);
  const request = {
    command: 'serve',
    flags,
    dotted,
    overrides: flagOverrides(serveFlagGroups, flags, context.workingDirectory),
    defaults: commandDefaults('serve'),
    needsTokens: true,
    check: refuseUntrainable,
  } as const;
  return withRun(environment, request, context, (run) => serveTrainer(run, flags, context));
}
