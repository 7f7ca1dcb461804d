import { resolve } from 'node:path';
import {
  freeTrainingPath,
  groupPlanOf,
  openRunDirectory,
  openTrainingFile,
  type ProcessSummary,
  processRollouts,
  type RunDirectory,
  type TrainingFile,
  type TrainingFileOptions,
} from '@hermes/env-core';
import { filterOf } from '../config/item-flags.ts';
import type { CliContext } from '../context.ts';
import { formatPlural } from '../display/format.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { OpenedRun } from '../open-run.ts';
import { retryOf } from '../retry-flag.ts';
import { reportRules } from '../tracking/report-rules.ts';
import { tracked } from '../tracking/tracked.ts';
import { createGroupDisplay } from './group-display.ts';
import { keepRule } from './keep-rule.ts';
import type { ProcessFlags } from './process-flags.ts';
import { printProcessSummary } from './process-summary.ts';
import { processFolder } from './run-folders.ts';
import { processScheduler } from './scheduler.ts';
import { removeEmpty, trainingFileOptions } from './training-output.ts';
import { unlessRefused } from './unless-refused.ts';

/** The work of `hermes process`: plays the items and writes what is wanted of them, so that a process that is killed at any moment can go on. */
export async function processIntoFile(
  run: OpenedRun,
  flags: ProcessFlags,
  context: CliContext,
): Promise<ExitCode> {
  context.signal.throwIfAborted(); // nothing has started: nothing is left behind
  const retry = retryOf(flags);
  const wanted = resolve(context.workingDirectory, outputOf(run));
  const fileOptions = trainingFileOptions(flags);
  const path = flags.resume === true ? wanted : await freeTrainingPath(wanted, fileOptions);
  const { options, rules } = processOptions(run, flags);
  const directory = await openRunDirectory(processFolder(path, flags, context), {
    resume: flags.resume === true,
    plan: groupPlanOf(options, { job: 'process', size: rules.groupSize }, rules.filter),
    run: { config: run.config.dump, sandbox: options.sandboxes?.id ?? null, out: path },
    ...(retry === null ? {} : { retry }),
  });
  try {
    return await withFile(path, fileOptions, async (file) => {
      const summary = await play({ ...options, ...rules, directory }, run, file, flags, context);
      await file.close();
      printProcessSummary(summary, { file, directory }, flags, context.stdout);
      tellMissing(summary, file, flags, context);
      return exitCodeOf(summary, file, context);
    });
  } finally {
    await directory.close();
  }
}

/** Works with a file and ends it whatever happens. Of several failures the first is told: the others mostly follow from it. */
async function withFile<T>(
  path: string,
  options: TrainingFileOptions,
  work: (file: TrainingFile) => Promise<T>,
): Promise<T> {
  const file = await openTrainingFile(path, options);
  try {
    return await work(file);
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  } finally {
    await removeEmpty(file);
  }
}

type Options = Omit<Parameters<typeof processRollouts<unknown>>[0], 'write' | 'sinks' | 'signal'>;

async function play(
  options: Options & { readonly directory: RunDirectory },
  run: OpenedRun,
  file: TrainingFile,
  flags: ProcessFlags,
  context: CliContext,
): Promise<ProcessSummary> {
  const { directory } = options;
  const display = createGroupDisplay(flags, context, run.effects.clock);
  const request = { command: 'process', run, directory } as const;
  try {
    return await unlessRefused(run.chosen, directory, context.signal, (signal) =>
      tracked(request, context, (metrics) =>
        processRollouts({ ...options, sinks: [display], metrics, signal, write: file.write }),
      ),
    );
  } finally {
    await display.close?.();
  }
}

function processOptions(run: OpenedRun, flags: ProcessFlags) {
  const { training } = run.config;
  const { first: limit = training.totalSteps, ...filter } = filterOf(flags);
  const rules = {
    groupSize: training.groupSize,
    filter,
    keep: keepRule(flags),
    report: reportRules(run),
    ...(limit === null ? {} : { groups: limit }),
    ...(flags.maxFailedGroups === undefined ? {} : { maxFailedGroups: flags.maxFailedGroups }),
  };
  return { options: { ...run.options, scheduler: processScheduler(run) }, rules };
}

/** As the original: below `data`, under the name of the environment. */
function outputOf({ config, definition }: OpenedRun): string {
  return config.training.outputPath ?? `data/${definition.id}.jsonl`;
}

function exitCodeOf(
  { groups }: ProcessSummary,
  file: TrainingFile,
  { signal, stderr }: CliContext,
): ExitCode {
  if (signal.aborted) return exitCodes.interrupted;
  const { found, written } = file.counts();
  if (groups.planned === 0 || groups.written > 0 || found + written > 0) return exitCodes.ran;
  const reasons = Object.entries(groups.skipped).map(([reason, count]) => `${reason} (${count})`);
  stderr.write(`hermes: no line was written: ${reasons.join(', ')}\n`);
  return exitCodes.runFailed;
}

/** Every group that was written has a line, unless somebody has taken it away, or it was a duplicate. */
function tellMissing(
  { groups }: ProcessSummary,
  file: TrainingFile,
  { dedupe }: ProcessFlags,
  { stderr }: CliContext,
): void {
  const { found, written } = file.counts();
  const lines = found + written;
  if (dedupe === true || lines >= groups.written) return;
  stderr.write(
    `note: this run has written ${formatPlural(groups.written, 'group')}, and its file has ${formatPlural(lines, 'line')}: what was taken away is not written again\n`,
  );
}
