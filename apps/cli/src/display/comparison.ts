import type { PairedDifference, RunComparison, RunSummary } from '@hermes/env-core';
import { formatCost, formatCount, formatPercent, formatPlural } from './format.ts';
import { formatTable } from './table.ts';

/** Where the two runs lie. */
type Places = Readonly<{ first: string; second: string }>;

/** A comparison for people: both runs, the difference with its interval, and each task that differs. */
export function formatComparison(comparison: RunComparison, places: Places): string {
  const { first, second, cautions, incomparable } = comparison;
  return [
    `A: ${places.first}`,
    `B: ${places.second}`,
    '',
    formatTable(['', 'A', 'B'], summaryRows(first, second)),
    '',
    ...list('what differs', comparison.changes),
    pairing(comparison),
    `B - A, over tasks scored in both: ${difference(comparison.valid)}`,
    `B - A, no score counting as 0:    ${difference(comparison.planned)}`,
    signs(comparison.signTest),
    ...list('not the same measurement', incomparable),
    ...list('read with care', cautions),
    ...flips(comparison),
    '',
  ].join('\n');
}

function summaryRows(first: RunSummary, second: RunSummary): string[][] {
  const row = (name: string, show: (summary: RunSummary) => string): string[] => [
    name,
    show(first),
    show(second),
  ];
  return [
    row('trials', (run) => String(run.total)),
    row('passed', (run) => String(run.passed)),
    row('failed', (run) => String(run.failed)),
    row('errored', (run) => String(run.errored)),
    row('score over valid trials', (run) => formatPercent(run.scoreValid)),
    row('score over all planned', (run) => formatPercent(run.scorePlanned)),
    row('tokens', (run) => formatCount(run.usage.totalTokens)),
    row('cost', (run) => formatCost(run.costUsd)),
  ];
}

function pairing({ tasks }: RunComparison): string {
  const others = [
    ...(tasks.onlyFirst === 0 ? [] : [`${tasks.onlyFirst} only in A`]),
    ...(tasks.onlySecond === 0 ? [] : [`${tasks.onlySecond} only in B`]),
    ...(tasks.unscored === 0 ? [] : [`${tasks.unscored} without a score in A or B`]),
  ];
  const unpaired = others.length === 0 ? '' : `; not paired: ${others.join(', ')}`;
  return `${formatPlural(tasks.paired, 'task')} paired${unpaired}`;
}

function difference({ difference: value, interval, tasks }: PairedDifference): string {
  if (value === null) return 'no task to compare';
  const range =
    interval === null
      ? ''
      : `, 95 % interval ${points(interval.low)} to ${points(interval.high)} (${interval.method})`;
  return `${points(value)}${range}, ${formatPlural(tasks, 'task')}`;
}

/** Percentage points, always with their sign. */
function points(share: number): string {
  const text = (share * 100).toFixed(1);
  return `${share >= 0 && !text.startsWith('-') ? '+' : ''}${text} points`;
}

function signs({ better, worse, same, p }: RunComparison['signTest']): string {
  const chance = p === null ? '' : `; sign test p ${p < 0.0001 ? '< 0.0001' : `= ${p.toFixed(4)}`}`;
  return `B better in ${better}, worse in ${worse}, the same in ${same}${chance}`;
}

function flips({ flips: changed }: RunComparison): string[] {
  if (changed.length === 0) return ['no task differs'];
  const rows = changed.map(({ itemId, first, second }) => [
    itemId,
    first.toFixed(2),
    second.toFixed(2),
  ]);
  return ['', formatTable(['task that differs', 'A', 'B'], rows)];
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}
