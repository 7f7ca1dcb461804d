import type { CompletedRollout } from '@hermes/protocol';
import { mean } from './_pair-tasks.ts';
import { byTask } from './_pass-at-k.ts';
import { seededRandom } from './_seeded-random.ts';
import type { RunSummary } from './run-events.ts';

/** Two-sided 95 % of a normal distribution. */
export const Z_95 = 1.959963984540054;
/** Of each bootstrap. */
export const RESAMPLES = 2_000;

/**
 * 95 % interval of the mean reward. Wilson where every task has one attempt with reward 0 or 1; else tasks are drawn anew with all
 * their attempts. Where all tasks have the same mean, as a single task has, every draw would say the same, as if that were certain:
 * there it is Wilson over the number of tasks.
 */
export function intervalOf(
  completed: readonly CompletedRollout[],
  seed: number,
): RunSummary['interval'] {
  if (completed.length === 0) return null;
  const tasks = [...byTask(completed).values()].map((records) =>
    records.map((record) => record.reward.reward),
  );
  const isPlain = tasks.every(
    ([first, ...more]) => more.length === 0 && (first === 0 || first === 1),
  );
  if (isPlain) return wilson(tasks.flat());
  const means = tasks.map(mean);
  const [first = 0] = means;
  const isOneMean = first >= 0 && first <= 1 && means.every((value) => value === first);
  return isOneMean ? wilson(means) : bootstrap(tasks, seed);
}

function wilson(rewards: readonly number[]): RunSummary['interval'] {
  const n = rewards.length;
  const share = mean(rewards);
  const scale = 1 + Z_95 ** 2 / n;
  const middle = (share + Z_95 ** 2 / (2 * n)) / scale;
  const half = (Z_95 / scale) * Math.sqrt((share * (1 - share)) / n + Z_95 ** 2 / (4 * n ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half), method: 'wilson' };
}

function bootstrap(tasks: readonly (readonly number[])[], seed: number): RunSummary['interval'] {
  const random = seededRandom(`${seed}/bootstrap`);
  const sums = tasks.map((rewards) => rewards.reduce((sum, reward) => sum + reward, 0));
  const sizes = tasks.map((rewards) => rewards.length);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    let size = 0;
    for (let drawn = 0; drawn < tasks.length; drawn += 1) {
      const task = Math.floor(random.next() * tasks.length);
      sum += sums[task] ?? 0;
      size += sizes[task] ?? 0;
    }
    return sum / size;
  }).sort((a, b) => a - b);
  return { low: quantile(means, 0.025), high: quantile(means, 0.975), method: 'bootstrap' };
}

/** Between the two nearest values, in proportion. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
