import { resolve } from 'node:path';
import { readRun, summarise } from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import { formatPlural } from '../display/format.ts';
import { formatSummary } from '../display/summary.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

/** `hermes report`: the numbers of a run from its records alone, finished or not. */
export async function runReport(
  run: string,
  flags: { readonly json?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const { records, summaryPlan, damagedLines } = await readRun(
    resolve(context.workingDirectory, run),
  );
  const summary = summarise(records, summaryPlan);
  context.stdout.write(
    flags.json === true ? `${JSON.stringify(summary)}\n` : formatSummary(summary, records),
  );
  if (damagedLines > 0)
    context.stderr.write(
      `passed over ${formatPlural(damagedLines, 'damaged line')}; --resume runs their trials again\n`,
    );
  return exitCodes.ran;
}
