import { filterOf } from '../config/item-flags.ts';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import type { EvaluateFlags } from '../evaluate-flags.ts';
import type { ExitCode } from '../exit-codes.ts';
import { withRun } from '../open-run.ts';
import { retryOf } from '../retry-flag.ts';
import { checkResume } from '../run-directory-path.ts';
import { runInDirectory } from '../run-in-directory.ts';

/** `hermes evaluate`: configuration, then concrete parts, then the run, then the table. */
export async function runEvaluate(
  environment: string,
  flags: EvaluateFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  checkResume(flags);
  const retry = retryOf(flags);
  const filter = filterOf(flags);
  return withRun(environment, { command: 'evaluate', flags, dotted }, context, (run) => {
    const options = { ...run.options, attempts: flags.attempts ?? 1, filter };
    return runInDirectory(options, { ...run, retry }, flags, context);
  });
}
