import type { CompletedRollout } from '@hermes/protocol';

/** Chance that at least one of k attempts passes, unbiased: of n attempts c passed, n >= k. */
export function passAtK(n: number, c: number, k: number): number {
  return 1 - allOf(n, n - c, k);
}

/** Chance that all of k attempts pass, unbiased. */
export function passHatK(n: number, c: number, k: number): number {
  return allOf(n, c, k);
}

/** The mean over tasks with at least k completed attempts, for k = 1, 2, 4, 8, ... and the number of attempts itself. */
export function overTasks(
  completed: readonly CompletedRollout[],
  estimate: (n: number, c: number, k: number) => number,
): Record<string, number> {
  const tasks = [...byTask(completed).values()].map(count);
  const most = Math.max(0, ...tasks.map((task) => task.n));
  const means: Record<string, number> = {};
  for (const k of stepsTo(most)) {
    const values = tasks.filter(({ n }) => n >= k).map(({ n, c }) => estimate(n, c, k));
    means[String(k)] = values.reduce((sum, value) => sum + value, 0) / values.length;
  }
  return means;
}

/** Completed records by item, in an order that does not depend on when they ended. */
export function byTask(
  completed: readonly CompletedRollout[],
): ReadonlyMap<string, readonly CompletedRollout[]> {
  const ordered = completed.toSorted(
    (a, b) => a.itemIndex - b.itemIndex || a.identity.attempt - b.identity.attempt,
  );
  const tasks = new Map<string, CompletedRollout[]>();
  for (const record of ordered) {
    const known = tasks.get(record.identity.itemId);
    if (known) known.push(record);
    else tasks.set(record.identity.itemId, [record]);
  }
  return tasks;
}

/** C(c, k) / C(n, k): the share of k-subsets that lie within c of the n. */
function allOf(n: number, c: number, k: number): number {
  let share = 1;
  for (let taken = 0; taken < k; taken += 1) share *= Math.max(0, c - taken) / (n - taken);
  return share;
}

function count(records: readonly CompletedRollout[]): Readonly<{ n: number; c: number }> {
  return { n: records.length, c: records.filter((record) => record.reward.resolved).length };
}

function stepsTo(most: number): readonly number[] {
  const steps = new Set<number>();
  for (let k = 1; k <= most; k *= 2) steps.add(k);
  if (most > 0) steps.add(most);
  return [...steps];
}
