import type { RolloutRecord } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { canonicalJson } from './_canonical-json.ts';
import { finishRun, tellMetrics } from './_finish-run.ts';
import { makeTrial } from './_make-trial.ts';
import { recordTrial, shownTrial } from './_record-trial.ts';
import type { RunContext } from './_run-context.ts';
import { inRun, type OpenRun } from './_run-scope.ts';
import { type Selected, selectItems } from './_select-items.ts';
import { slimRecord } from './_slim-record.ts';
import type { RunSummary } from './run-events.ts';
import type { Trial } from './run-options.ts';
import { type EvaluateOptions, planOf } from './run-plan.ts';

/**
 * Runs every attempt at every selected item and returns the summary. An aborted signal ends it early:
 * running trials end as cancelled, everything is disposed, and the summary says interrupted. Rejects
 * with a HermesError only for wrong options, for items that cannot be read, and for a sink that fails.
 */
export async function evaluate<Data>(options: EvaluateOptions<Data>): Promise<RunSummary> {
  refuseWrongOptions(options);
  return inRun(options, (run) => evaluateIn(run, options));
}

async function evaluateIn<Data>(
  { context, signal, abort }: OpenRun<Data>,
  options: EvaluateOptions<Data>,
): Promise<RunSummary> {
  const { environment, filter = {} } = options;
  if (environment.sandbox) await context.capabilities();
  const items = await selectItems(environment, filter, context.random, signal);
  const trials = planTrials(options, items);
  const finished = finishedOf({ ...options, signal }, trials);
  await announceStart(context, trials, finished);
  const records = [...finished.values()];
  const left = trials.filter((trial) => !finished.has(trial.trialKey));
  await runAll(context, left, records, abort);
  const summary = await finishRun(context, records, trials.length);
  tellMetrics(context, 'eval', summary, records);
  return summary;
}

function refuseWrongOptions<Data>(options: EvaluateOptions<Data>): void {
  const { attempts = 1, directory } = options;
  if (!Number.isInteger(attempts) || attempts < 1)
    throw config('CONFIG', `attempts must be a whole number from 1, not ${attempts}`);
  if (directory && canonicalJson(directory.plan) !== canonicalJson(planOf(options)))
    throw config(
      'PLAN_CHANGED',
      'The run directory was opened with another plan than this run has',
    );
}

/** First attempts of all items before second ones, so that an early look shows every item. */
function planTrials<Data>(
  options: EvaluateOptions<Data>,
  items: readonly Selected<Data>[],
): readonly Trial<Data>[] {
  const attempts = Array.from({ length: options.attempts ?? 1 }, (_, attempt) => attempt);
  return attempts.flatMap((attempt) =>
    items.map(({ item, index }) =>
      makeTrial(options, item, { index, attempt, groupId: null, split: 'eval' }),
    ),
  );
}

/** Trials that the run directory has already. All of them must belong to this run. */
function finishedOf<Data>(
  { directory, signal }: EvaluateOptions<Data>,
  trials: readonly Trial<Data>[],
): ReadonlyMap<string, RolloutRecord> {
  const finished = directory?.finished() ?? new Map<string, RolloutRecord>();
  const planned = new Set(trials.map((trial) => trial.trialKey));
  const strays = [...finished.values()]
    .filter((record) => !planned.has(record.trialKey))
    .sort((a, b) => a.itemIndex - b.itemIndex);
  const [first] = strays;
  if (first === undefined || signal?.aborted) return finished;
  throw config(
    'PLAN_CHANGED',
    `${strays.length} finished trials of ${directory?.path} are left out by the item filters now, ` +
      `the first of item ${first.identity.itemId}. Widen the filters or start a new run`,
  );
}

async function announceStart<Data>(
  context: RunContext<Data>,
  trials: readonly Trial<Data>[],
  finished: ReadonlyMap<string, RolloutRecord>,
): Promise<void> {
  const { runId, options } = context;
  if (!options.signal?.aborted) await options.directory?.planned(trials.length);
  const kept = [...finished.values()].filter((record) => record.status === 'errored');
  const counts = { planned: trials.length, resumed: finished.size, keptErrored: kept.length };
  context.announce({ type: 'run_start', runId, ...counts });
  for (const trial of trials)
    if (!finished.has(trial.trialKey))
      context.announce({ type: 'trial_queued', ...shownTrial(trial) });
}

/** The first failing sink ends the run: the other trials are cancelled, and its error is thrown when they are gone. */
async function runAll<Data>(
  context: RunContext<Data>,
  trials: readonly Trial<Data>[],
  records: RolloutRecord[],
  abort: (reason: unknown) => void,
): Promise<void> {
  const { signal } = context.options;
  const failures: unknown[] = [];
  const runOne = async (trial: Trial<Data>) => {
    try {
      records.push(slimRecord(await recordTrial(context, trial)));
    } catch (error) {
      failures.push(error);
      abort(error);
    }
  };
  const { rollouts } = context.limiters;
  const notStarted = () => undefined; // cancelled while it waited: nothing of it exists
  await Promise.all(
    trials.map((trial) => rollouts.run(() => runOne(trial), signal).catch(notStarted)),
  );
  if (failures.length > 0) throw failures[0];
}

function config(code: string, message: string): HermesError {
  return new HermesError('config', code, message);
}
