import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import type { EvaluateFlags } from '../evaluate-flags.ts';
import type { ExitCode } from '../exit-codes.ts';
import { retryOf } from '../retry-flag.ts';
import { checkResume } from '../run-directory-path.ts';
import { runInDirectory } from '../run-in-directory.ts';
import { withRun } from '../with-run.ts';

/** `hermes evaluate`: configuration, then concrete parts, then the run, then the table. */
export async function runEvaluate(
  environment: string,
  flags: EvaluateFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  checkResume(flags);
  const retry = retryOf(flags);
  return withRun({ environment, flags, dotted }, context, (options, parts) =>
    runInDirectory(options, { ...parts, retry }, flags, context),
  );
}
