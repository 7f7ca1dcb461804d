import { mean, type Pair, pairTasks, plannedPair, scoredPair } from './_pair-tasks.ts';
import { pairedInterval, signTest } from './_paired-statistics.ts';
import type { StoredRun } from './read-run.ts';
import type { RunSummary } from './run-events.ts';
import { planDifferences, type RunPlan } from './run-plan.ts';
import { summarise } from './summarise.ts';

/** How two runs differ, task by task. Differences are second minus first; null = there is no task to compare. */
export type RunComparison = Readonly<{
  first: RunSummary;
  second: RunSummary;
  /** Why the runs measured different things: environment, its configuration, data. Empty: they did not. */
  incomparable: readonly string[];
  /** What does not forbid a comparison and should be known to its reader: marks, runs that are not complete. */
  cautions: readonly string[];
  /** What else of the plan differs: this is what is compared. */
  changes: readonly string[];
  tasks: TaskCounts;
  /** Over tasks with a score in both runs. */
  valid: PairedDifference;
  /** Over all tasks of both runs, where an attempt without a score counts as 0. */
  planned: PairedDifference;
  /** Tasks of `valid` whose mean reward differs, the largest change first. */
  flips: readonly Readonly<{ itemId: string; first: number; second: number }>[];
  signTest: Readonly<{ better: number; worse: number; same: number; p: number | null }>;
}>;

/** How many tasks were paired, and why the others were not. */
export type TaskCounts = Readonly<{
  paired: number;
  onlyFirst: number;
  onlySecond: number;
  /** In both runs, without a score in at least one of them. */
  unscored: number;
}>;

/** Mean difference of the reward of a task. 95 % interval: Bonett-Price where each task has one 0/1 reward a run, else a seeded bootstrap over tasks. */
export type PairedDifference = Readonly<{
  tasks: number;
  first: number | null;
  second: number | null;
  difference: number | null;
  interval: Readonly<{ low: number; high: number; method: 'bonett-price' | 'bootstrap' }> | null;
}>;

/** Compares two runs paired by task. The same runs give the same numbers. */
export function compareRuns(first: StoredRun, second: StoredRun): RunComparison {
  const summaries = [first, second].map((run) => summarise(run.records, run.summaryPlan));
  const [one, two] = summaries as [RunSummary, RunSummary];
  const tasks = pairTasks(first, second);
  const both = tasks.filter((task) => task.first !== null && task.second !== null);
  const scored = both.flatMap(scoredPair);
  const seed = first.summaryPlan.seed;
  return {
    first: one,
    second: two,
    ...planChanges(first.file.plan, second.file.plan),
    cautions: cautionsOf(one, two),
    tasks: {
      paired: scored.length,
      onlyFirst: tasks.filter((task) => task.second === null).length,
      onlySecond: tasks.filter((task) => task.first === null).length,
      unscored: both.length - scored.length,
    },
    valid: differenceOf(scored, seed),
    planned: differenceOf(both.map(plannedPair), seed),
    flips: flipsOf(scored),
    signTest: signTest(scored),
  };
}

function differenceOf(pairs: readonly Pair[], seed: number): PairedDifference {
  if (pairs.length === 0)
    return { tasks: 0, first: null, second: null, difference: null, interval: null };
  const first = mean(pairs.map((pair) => pair.first));
  const second = mean(pairs.map((pair) => pair.second));
  const difference = mean(pairs.map((pair) => pair.second - pair.first));
  return {
    tasks: pairs.length,
    first,
    second,
    difference,
    interval: pairedInterval(pairs, seed),
  };
}

function flipsOf(pairs: readonly Pair[]): RunComparison['flips'] {
  const size = ({ first, second }: Pair) => Math.abs(second - first);
  return pairs
    .filter((pair) => pair.first !== pair.second)
    .sort((a, b) => size(b) - size(a))
    .map(({ itemId, first, second }) => ({ itemId, first, second }));
}

/** Where these differ, the two runs did not measure the same. */
const MEASURED = /^(environment\.|datasetRevision\b)/;

function planChanges(
  first: RunPlan,
  second: RunPlan,
): Pick<RunComparison, 'incomparable' | 'changes'> {
  const { marks: _first, ...before } = first;
  const { marks: _second, ...now } = second;
  const all = planDifferences(before, now);
  const sameSets = all.filter((change) => !change.startsWith('filter.'));
  return {
    incomparable: sameSets.filter((change) => MEASURED.test(change)),
    changes: sameSets.filter((change) => !MEASURED.test(change)),
  };
}

function cautionsOf(first: RunSummary, second: RunSummary): readonly string[] {
  const [one, two] = [first.marks.join(', '), second.marks.join(', ')];
  return [
    ...(one === two
      ? []
      : [`marks differ: ${one || 'none'} in the first, ${two || 'none'} in the second`]),
    ...(first.interrupted ? ['the first run is not complete'] : []),
    ...(second.interrupted ? ['the second run is not complete'] : []),
  ];
}
