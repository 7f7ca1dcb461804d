import type { RolloutRecord } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { canonicalJson } from './_canonical-json.ts';
import { finishRun, tellMetrics } from './_finish-run.ts';
import { type OfferedTools, rememberTools } from './_offered-tools.ts';
import type { GroupPlan } from './_play-group.ts';
import { planGroup, playGroup } from './_play-group.ts';
import { type GroupCourse, openGroupCourse } from './_process-course.ts';
import { openProcessReport } from './_process-report.ts';
import { shownTrial } from './_record-trial.ts';
import { inRun, type OpenRun } from './_run-scope.ts';
import { selectItems } from './_select-items.ts';
import { slimRecord } from './_slim-record.ts';
import { openTurns } from './_turns.ts';
import { createLimiter } from './create-limiter.ts';
import type { ProcessRules, ProcessSummary } from './process-rules.ts';
import type { RunOptions } from './run-options.ts';
import { groupPlanOf } from './run-plan.ts';

/** Groups that may be under way for each place for rollouts: a slow one at the head must not leave places empty. */
const GROUPS_AHEAD = 4;

type Options<Data> = RunOptions<Data> & ProcessRules;

/**
 * Plays each item as a group of attempts and hands the finished groups over, in the order of their
 * items. An errored rollout is tried again up to its limit, and its group waits for it; a group that
 * cannot be had is skipped with its reason, and the run goes on. With a run directory an interrupted
 * run goes on where it was: open it with `groupPlanOf(options, { job: 'process', size })`. Rejects with
 * a HermesError for wrong options, for items that cannot be read, when `write` or a sink fails, and
 * TOO_MANY_FAILURES; what was written by then is kept.
 */
export async function processRollouts<Data>(options: Options<Data>): Promise<ProcessSummary> {
  refuseWrongRules(options);
  const tools = rememberTools(options.directory);
  const sinks = [...options.sinks, tools.sink];
  return inRun({ ...options, sinks }, (run) => processIn(run, options, tools));
}

async function processIn<Data>(
  run: OpenRun<Data>,
  options: Options<Data>,
  tools: OfferedTools,
): Promise<ProcessSummary> {
  const { context } = run;
  if (options.environment.sandbox) await context.capabilities();
  const plans = await planGroups(run, options);
  const course = await openGroupCourse(context, options, tools, plans);
  const finished = finishedOf(options, plans);
  await announceStart(run, plans, finished);
  const played = await playAll(run, options, plans, course);
  const records = [...finished.values(), ...played.filter((one) => !finished.has(one.trialKey))];
  const summary = await finishRun(context, records, records.length + missing(course, records));
  tellMetrics(context, 'process', summary, records);
  return { ...summary, groups: course.counts() };
}

/** Plays what no earlier process has brought to its end, and returns the records without their messages. */
async function playAll<Data>(
  run: OpenRun<Data>,
  options: Options<Data>,
  plans: readonly GroupPlan<Data>[],
  course: GroupCourse<Data>,
): Promise<readonly RolloutRecord[]> {
  const left = plans.filter((plan) => !course.isEnded(plan));
  const known = await knownRecords(options, left);
  const turns = openTurns();
  const report = openProcessReport(run.context, options);
  const records: RolloutRecord[] = [];
  let ended = endedGroups(course);
  const play = async (plan: GroupPlan<Data>) => {
    const turn = turns.take();
    try {
      const end = await playGroup(run, plan, known);
      records.push(...end.records.map(slimRecord));
      await turn.mine;
      const outcome = await course.settle(plan, end, turn.pass);
      if (outcome === null) return;
      ended += 1; // its own place: others behind it may have ended by now
      report.ended(ended, end.records, outcome);
    } catch (error) {
      run.abort(error);
    } finally {
      turn.pass();
    }
  };
  const window = createLimiter(windowOf(options));
  const notStarted = () => undefined; // cancelled while it waited: nothing of it exists
  await Promise.all(left.map((plan) => window.run(() => play(plan), run.signal).catch(notStarted)));
  if (run.signal.aborted && !options.signal?.aborted) throw run.signal.reason;
  return records;
}

function endedGroups<Data>(course: GroupCourse<Data>): number {
  const { written, skipped } = course.counts();
  return Object.values(skipped).reduce((sum, count) => sum + count, written);
}

/** Trials that nobody has played yet and that a resume would; siblings of a failed one are none of them. */
function missing<Data>(course: GroupCourse<Data>, records: readonly RolloutRecord[]): number {
  const recorded = new Set(records.map((record) => record.trialKey));
  const trials = course.unsettled().flatMap((plan) => plan.trials);
  return trials.filter((trial) => !recorded.has(trial.trialKey)).length;
}

async function planGroups<Data>(
  { context, signal }: OpenRun<Data>,
  options: Options<Data>,
): Promise<readonly GroupPlan<Data>[]> {
  const { environment, groups, groupSize: size = 1 } = options;
  const filter = { ...options.filter, ...(groups === undefined ? {} : { first: groups }) };
  const items = await selectItems(environment, filter, context.random, signal, 'train');
  return items.map(({ item, index }) =>
    planGroup(options, context.runId, item, { index, firstAttempt: 0, size }),
  );
}

function finishedOf<Data>(
  { directory }: Options<Data>,
  plans: readonly GroupPlan<Data>[],
): ReadonlyMap<string, RolloutRecord> {
  const finished = directory?.finished() ?? new Map<string, RolloutRecord>();
  const planned = new Set(plans.flatMap((plan) => plan.trials.map((trial) => trial.trialKey)));
  return new Map([...finished].filter(([key]) => planned.has(key)));
}

/** Whole records of groups that an earlier process could not bring to their end. */
async function knownRecords<Data>(
  { directory }: Options<Data>,
  plans: readonly GroupPlan<Data>[],
): Promise<ReadonlyMap<string, RolloutRecord>> {
  const known = new Map<string, RolloutRecord>();
  const keys = plans.flatMap((plan) => plan.trials.map((trial) => trial.trialKey));
  const wanted = new Set(keys.filter((key) => directory?.finished().has(key)));
  for await (const record of directory?.records(wanted) ?? []) known.set(record.trialKey, record);
  return known;
}

async function announceStart<Data>(
  { context, signal }: OpenRun<Data>,
  plans: readonly GroupPlan<Data>[],
  finished: ReadonlyMap<string, RolloutRecord>,
): Promise<void> {
  const trials = plans.flatMap((plan) => plan.trials);
  if (!signal.aborted) await context.options.directory?.planned(trials.length);
  const kept = [...finished.values()].filter((record) => record.status === 'errored');
  const counts = { planned: trials.length, resumed: finished.size, keptErrored: kept.length };
  context.announce({ type: 'run_start', runId: context.runId, ...counts });
  for (const trial of trials)
    if (!finished.has(trial.trialKey))
      context.announce({ type: 'trial_queued', ...shownTrial(trial) });
}

function windowOf({
  scheduler,
  groupSize = 1,
}: Pick<Options<never>, 'scheduler' | 'groupSize'>): number {
  return Math.max(1, Math.ceil((scheduler?.rollouts ?? 4) / groupSize)) * GROUPS_AHEAD;
}

function refuseWrongRules<Data>(options: Options<Data>): void {
  const { groups = 1, groupSize = 1, maxFailedGroups = 1, directory, filter } = options;
  for (const [name, value] of Object.entries({ groups, groupSize, maxFailedGroups }))
    if (!Number.isInteger(value) || value < 1)
      throw config('CONFIG', `${name} must be a whole number from 1, not ${value}`);
  const plan = groupPlanOf(options, { job: 'process', size: groupSize }, filter);
  if (directory && canonicalJson(directory.plan) !== canonicalJson(plan))
    throw config(
      'PLAN_CHANGED',
      'The run directory was opened with another plan than this run has',
    );
}

function config(code: string, message: string): HermesError {
  return new HermesError('config', code, message);
}
