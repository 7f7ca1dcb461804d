import { join, resolve } from 'node:path';
import type { EvaluateOptions, RolloutSink, RunSummary } from '@hermes/env-core';
import { evaluate, openRunDirectory, planOf } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import { createJsonDisplay } from './display/json-display.ts';
import { createLiveDisplay } from './display/live-display.ts';
import { createPlainDisplay } from './display/plain-display.ts';
import { printSummary } from './display/summary.ts';
import type { EvaluateFlags } from './evaluate-flags.ts';
import { type EvaluationLog, openEvaluationLog } from './evaluation-log/evaluation-log.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { OpenedRun } from './open-run.ts';
import type { RetrySelection } from './retry-flag.ts';
import { runDirectoryPath } from './run-directory-path.ts';
import { tracked } from './tracking/tracked.ts';

/** Runs with everything on disk, shows it as it goes, and prints the table. */
export async function runInDirectory(
  options: EvaluateOptions<unknown>,
  run: OpenedRun & { readonly retry: RetrySelection | null },
  flags: EvaluateFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { config, chosen, effects, retry } = run;
  context.signal.throwIfAborted(); // nothing has started: no run is left behind
  const log = await openLog(run, context);
  const path = runDirectoryPath(flags, options, context, effects);
  const directory = await openRunDirectory(path, {
    resume: flags.resume === true,
    plan: planOf(options),
    run: { config: config.dump, sandbox: options.sandboxes?.id ?? null },
    ...(retry === null ? {} : { retry }),
  });
  const display = until(chosen.refused, createDisplay(flags, context, effects));
  const signal = anyOf(context.signal, chosen.refused);
  try {
    const request = { command: 'evaluate', run, directory } as const;
    const summary = await tracked(request, context, (metrics) => {
      const sinks = log === null ? metrics : [...metrics, log.metrics];
      return evaluate({ ...options, directory, sinks: [display], metrics: sinks, signal });
    });
    await display.close?.();
    if (chosen.refused?.aborted) {
      await directory.discard();
      throw chosen.refused.reason;
    }
    await log?.write(summary, {
      environment: run.definition.id,
      model: chosen.modelId,
      config,
      records: join(directory.path, 'records.jsonl'),
    });
    if (flags.json !== true) await printSummary(path, summary, context.stdout);
    return exitCodeOf(summary, context);
  } finally {
    await display.close?.();
    await directory.close();
  }
}

/** null: no folder was named. */
function openLog(
  { config }: OpenedRun,
  { workingDirectory }: CliContext,
): Promise<EvaluationLog | null> {
  const { evaluationsFolder } = config.env;
  if (evaluationsFolder === null) return Promise.resolve(null);
  return openEvaluationLog(resolve(workingDirectory, evaluationsFolder));
}

/** What comes after the signal is not shown: the error that ends the run says it all. */
function until(signal: AbortSignal | undefined, display: RolloutSink): RolloutSink {
  if (signal === undefined) return display;
  return {
    ...display,
    run: (event) => (signal.aborted ? undefined : display.run?.(event)),
  };
}

function anyOf(signal: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? signal : AbortSignal.any([signal, other]);
}

function createDisplay(flags: EvaluateFlags, context: CliContext, effects: Effects): RolloutSink {
  if (flags.json === true) return createJsonDisplay(context.stdout);
  return context.stdout.isTerminal
    ? createLiveDisplay(context.stdout, effects.clock)
    : createPlainDisplay(context.stdout);
}

function exitCodeOf(summary: RunSummary, context: CliContext): ExitCode {
  if (context.signal.aborted) return exitCodes.interrupted;
  const nothingScored = summary.total > 0 && summary.passed + summary.failed === 0;
  if (!nothingScored) return exitCodes.ran;
  const causes = Object.entries(summary.erroredBy).map(([cause, count]) => `${cause} (${count})`);
  context.stderr.write(`hermes: no trial could be scored: ${causes.join(', ')}\n`);
  return exitCodes.runFailed;
}
