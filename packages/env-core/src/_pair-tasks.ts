import type { RolloutRecord } from '@hermes/protocol';
import type { StoredRun } from './read-run.ts';

/** The rewards of one task in both runs. */
export type Pair = Readonly<{
  itemId: string;
  first: number;
  second: number;
  /** One attempt a run, rewards 0 or 1. */
  isBinary: boolean;
}>;

/** All attempts of a task in one run; null rewards had no score. */
type Attempts = readonly (number | null)[];
/** A task as both runs have it; null: one has it not. */
export type Task = Readonly<{ itemId: string; first: Attempts | null; second: Attempts | null }>;

/** All tasks of both runs, those of the first in their order before the others. */
export function pairTasks(first: StoredRun, second: StoredRun): readonly Task[] {
  const [one, two] = [attemptsByTask(first), attemptsByTask(second)];
  const ids = [...new Set([...one.keys(), ...two.keys()])];
  return ids.map((itemId) => ({
    itemId,
    first: one.get(itemId) ?? null,
    second: two.get(itemId) ?? null,
  }));
}

/** In the order of the items, so that a bootstrap draws the same whichever trial ended first. */
function attemptsByTask({ records }: StoredRun): ReadonlyMap<string, Attempts> {
  const ordered = records.toSorted(
    (a, b) => a.itemIndex - b.itemIndex || a.identity.attempt - b.identity.attempt,
  );
  const tasks = new Map<string, (number | null)[]>();
  for (const record of ordered) {
    const attempts = tasks.get(record.identity.itemId) ?? [];
    attempts.push(rewardOf(record));
    tasks.set(record.identity.itemId, attempts);
  }
  return tasks;
}

function rewardOf(record: RolloutRecord): number | null {
  return record.status === 'completed' ? record.reward.reward : null;
}

/** The pair of a task with a score in both runs; none for any other. */
export function scoredPair({ itemId, ...task }: Task): readonly Pair[] {
  const first = (task.first ?? []).filter((reward) => reward !== null);
  const second = (task.second ?? []).filter((reward) => reward !== null);
  if (first.length === 0 || second.length === 0) return [];
  return [pairOf(itemId, first, second)];
}

/** The pair of a task in which an attempt without a score counts as 0. */
export function plannedPair({ itemId, first, second }: Task): Pair {
  const zeros = (attempts: Attempts | null) => (attempts ?? []).map((reward) => reward ?? 0);
  return pairOf(itemId, zeros(first), zeros(second));
}

function pairOf(itemId: string, first: readonly number[], second: readonly number[]): Pair {
  const isPlain = ([reward, ...more]: readonly number[]) =>
    more.length === 0 && (reward === 0 || reward === 1);
  const isBinary = isPlain(first) && isPlain(second);
  return { itemId, first: mean(first), second: mean(second), isBinary };
}

/** Of at least one value. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
