import { commandDefaults } from '../config/command-defaults.ts';
import { flagOverrides } from '../config/flag-overrides.ts';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import type { ExitCode } from '../exit-codes.ts';
import { withRun } from '../open-run.ts';
import { type ProcessFlags, processFlagGroups } from '../training/process-flags.ts';
import { processIntoFile } from '../training/process-into-file.ts';
import { refuseTokens } from '../training/refuse-tokens.ts';

/** `hermes process`: configuration, then concrete parts, then trajectories into a file. */
export async function runProcess(
  environment: string,
  flags: ProcessFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const request = {
    command: 'process',
    flags,
    dotted,
    overrides: flagOverrides(processFlagGroups, flags, context.workingDirectory),
    defaults: commandDefaults('process', flags.lines),
    needsTokens: flags.format === 'tokens',
    check: refuseTokens(flags),
  } as const;
  return withRun(environment, request, context, (run) => processIntoFile(run, flags, context));
}
