import { resolve } from 'node:path';
import { compareRuns, type RunComparison, readRun } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import { formatComparison } from '../display/comparison.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

/** The flags of `hermes compare`. */
export interface CompareFlags {
  readonly anyway?: boolean;
  readonly json?: boolean;
}

/** `hermes compare`: two runs paired by task. Runs that did not measure the same are refused, unless they shall be compared anyway. */
export async function runCompare(
  first: string,
  second: string,
  flags: CompareFlags,
  context: CliContext,
): Promise<ExitCode> {
  const [one, two] = [first, second].map((run) => resolve(context.workingDirectory, run));
  const comparison = compareRuns(await readRun(one ?? first), await readRun(two ?? second));
  if (flags.anyway !== true) refuse(comparison);
  context.stdout.write(
    flags.json === true
      ? `${JSON.stringify(asJson(comparison, first, second))}\n`
      : formatComparison(comparison, { first, second }),
  );
  return exitCodes.ran;
}

function refuse({ incomparable }: RunComparison): void {
  if (incomparable.length === 0) return;
  const message = `these runs did not measure the same: ${incomparable.join('; ')}. Compare runs of one environment and one data set, or say --anyway`;
  throw new HermesError('config', 'CONFIG', message);
}

/** comparable: nothing stands against reading the difference as one of the model and its settings. */
function asJson(comparison: RunComparison, first: string, second: string): object {
  const { incomparable, cautions } = comparison;
  const comparable = incomparable.length === 0 && cautions.length === 0;
  return { runs: { first, second }, comparable, ...comparison };
}
