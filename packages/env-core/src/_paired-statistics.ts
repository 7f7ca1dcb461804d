import { quantile, RESAMPLES, Z_95 } from './_interval.ts';
import type { Pair } from './_pair-tasks.ts';
import { seededRandom } from './_seeded-random.ts';
import type { PairedDifference, RunComparison } from './compare-runs.ts';

/**
 * 95 % interval of the mean difference. Bonett-Price where each pair is one 0/1 reward a run, and where all pairs say the same: there a
 * bootstrap would draw the same every time, as if that were certain.
 */
export function pairedInterval(
  pairs: readonly Pair[],
  seed: number,
): NonNullable<PairedDifference['interval']> {
  const differences = pairs.map((pair) => pair.second - pair.first);
  const [first = 0] = differences;
  const isUniform = Math.abs(first) <= 1 && differences.every((value) => value === first);
  const isBinary = pairs.every((pair) => pair.isBinary);
  return isBinary || isUniform ? bonettPrice(differences) : bootstrap(differences, seed);
}

/** Adjusted Wald interval for a difference of paired shares: one success and one failure are added to the tasks that differ. A part of a task counts as that part. */
function bonettPrice(differences: readonly number[]): NonNullable<PairedDifference['interval']> {
  const n = differences.length + 2;
  const better = (gains(differences) + 1) / n;
  const worse = (gains(differences.map((difference) => -difference)) + 1) / n;
  const middle = better - worse;
  const half = Z_95 * Math.sqrt((better + worse - middle ** 2) / n);
  return {
    low: Math.max(-1, middle - half),
    high: Math.min(1, middle + half),
    method: 'bonett-price',
  };
}

function gains(differences: readonly number[]): number {
  return differences.reduce((sum, difference) => sum + Math.max(0, difference), 0);
}

function bootstrap(
  differences: readonly number[],
  seed: number,
): NonNullable<PairedDifference['interval']> {
  const random = seededRandom(`${seed}/paired-bootstrap`);
  const { length } = differences;
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < length; drawn += 1)
      sum += differences[Math.floor(random.next() * length)] ?? 0;
    return sum / length;
  }).sort((a, b) => a - b);
  return { low: quantile(means, 0.025), high: quantile(means, 0.975), method: 'bootstrap' };
}

/** Exact and two-sided, over the tasks that differ. p: the chance of a split at least as uneven if neither run were better; null = no task differs. */
export function signTest(pairs: readonly Pair[]): RunComparison['signTest'] {
  const better = pairs.filter((pair) => pair.second > pair.first).length;
  const worse = pairs.filter((pair) => pair.second < pair.first).length;
  const same = pairs.length - better - worse;
  return { better, worse, same, p: better + worse === 0 ? null : signTestP(better, worse) };
}

function signTestP(better: number, worse: number): number {
  const n = better + worse;
  let log = -n * Math.LN2; // of C(n, 0) / 2^n
  let tail = Math.exp(log);
  for (let k = 1; k <= Math.min(better, worse); k += 1) {
    log += Math.log(n - k + 1) - Math.log(k);
    tail += Math.exp(log);
  }
  return Math.min(1, 2 * tail);
}
