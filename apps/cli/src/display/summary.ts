import { type RunSummary, readRun } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import type { Output } from '../context.ts';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatPlural,
  printable,
} from './format.ts';
import { describeErrored } from './plain-display.ts';
import { formatTable } from './table.ts';

/** The table of a run: a row an item, in the order of the items, then the totals. Made from the records alone, so `hermes report` prints the same. */
export function formatSummary(summary: RunSummary, records: readonly RolloutRecord[]): string {
  const inOrder = records.toSorted(byItemAndAttempt);
  const errors = inOrder.filter((record) => record.status === 'errored');
  return [
    formatTable(
      ['task', 'trials', 'passed', 'failed', 'errored', 'reward', 'time'],
      itemRows(inOrder),
    ),
    '',
    totals(summary),
    ...(errors.length === 0
      ? []
      : [
          '',
          'errored:',
          ...errors.map((record) => `  ${nameOf(record)}: ${describeErrored(record)}`),
        ]),
    '',
  ].join('\n');
}

function byItemAndAttempt(one: RolloutRecord, other: RolloutRecord): number {
  return one.itemIndex - other.itemIndex || one.identity.attempt - other.identity.attempt;
}

function itemRows(records: readonly RolloutRecord[]): string[][] {
  const items = groupByItem(records);
  return [...items].map(([itemId, ofItem]) => itemRow(itemId, ofItem));
}

function groupByItem(records: readonly RolloutRecord[]): Map<string, RolloutRecord[]> {
  const groups = new Map<string, RolloutRecord[]>();
  for (const record of records)
    groups.set(record.identity.itemId, [...(groups.get(record.identity.itemId) ?? []), record]);
  return groups;
}

function itemRow(itemId: string, records: readonly RolloutRecord[]): string[] {
  const completed = records.filter((record) => record.status === 'completed');
  const passed = completed.filter((record) => record.reward.resolved).length;
  const mean =
    completed.length === 0
      ? null
      : completed.reduce((sum, record) => sum + record.reward.reward, 0) / completed.length;
  const ms = records.reduce((sum, record) => sum + durationMs(record), 0) / records.length;
  return [
    itemId,
    String(records.length),
    String(passed),
    String(completed.length - passed),
    String(records.length - completed.length),
    mean === null ? '-' : mean.toFixed(2),
    `${(ms / 1000).toFixed(1)} s`,
  ];
}

function totals(summary: RunSummary): string {
  const interval =
    summary.interval === null
      ? ''
      : `, 95 % interval ${formatPercent(summary.interval.low)} to ${formatPercent(summary.interval.high)} (${summary.interval.method})`;
  return [
    `${summary.environment}: ${formatPlural(summary.total, 'trial')}, ${summary.passed} passed, ${summary.failed} failed, ${summary.errored} errored`,
    `score over valid trials: ${formatPercent(summary.scoreValid)}${interval}`,
    `score over all planned:  ${formatPercent(summary.scorePlanned)}${zeros(summary)}`,
    ...powers(summary),
    `tokens ${formatCount(summary.usage.totalTokens)}, cost ${formatCost(summary.costUsd)}${summary.unpriced === 0 ? '' : ` (${summary.unpriced} trials without a price)`}, time ${formatDuration(summary.wallMs)}`,
    ...metrics(summary),
    ...(summary.agentTimedOut === 0
      ? []
      : [`agent timed out in ${formatPlural(summary.agentTimedOut, 'trial')}`]),
    ...(summary.marks.length === 0 ? [] : [`marks: ${summary.marks.join(', ')}`]),
    ...(summary.comparable ? [] : ['comparable only with runs that carry the same marks']),
    ...interruption(summary),
  ].join('\n');
}

function notRun({ total, passed, failed, errored }: RunSummary): number {
  return total - passed - failed - errored;
}

/** What counts as 0 in the score over all planned trials. */
function zeros(summary: RunSummary): string {
  const kinds = [
    ...(summary.errored === 0 ? [] : ['errored']),
    ...(notRun(summary) === 0 ? [] : ['not run']),
  ];
  return kinds.length === 0 ? '' : ` (${kinds.join(' and ')} count as 0)`;
}

/** A run that was killed or interrupted, as far as its records tell; cancelled trials run again when it is resumed. */
function interruption(summary: RunSummary): string[] {
  if (!summary.interrupted) return [];
  const left = notRun(summary);
  const cancelled = Object.entries(summary.erroredBy)
    .filter(([cause]) => cause.startsWith('cancelled/'))
    .reduce((sum, [, count]) => sum + count, 0);
  const parts = [
    `${summary.total - left - cancelled} of ${formatPlural(summary.total, 'trial')} finished`,
    ...(cancelled === 0 ? [] : [`${cancelled} cancelled`]),
    ...(left === 0 ? [] : [`${left} did not run`]),
  ];
  return [`not complete: ${parts.join(', ')}; continue with --resume`];
}

function powers(summary: RunSummary): string[] {
  const keys = Object.keys(summary.passAtK).filter((key) => key !== '1');
  if (keys.length === 0) return [];
  const show = (values: Readonly<Record<string, number>>, name: string): string =>
    keys.map((key) => `${name}${key} ${formatPercent(values[key] ?? null)}`).join(', ');
  return [`${show(summary.passAtK, 'pass@')}; ${show(summary.passHatK, 'pass^')}`];
}

function metrics(summary: RunSummary): string[] {
  return Object.entries(summary.metrics).map(([name, value]) => `${name}: ${formatNumber(value)}`);
}

function nameOf(record: RolloutRecord): string {
  return `${printable(record.identity.itemId)} #${record.identity.attempt + 1}`;
}

function durationMs(record: RolloutRecord): number {
  return record.timings.endedAt.wallMs - record.timings.startedAt.wallMs;
}

/** Prints the table of a run that has just ended, and where it is kept. */
export async function printSummary(
  path: string,
  summary: RunSummary,
  output: Output,
): Promise<void> {
  const { records } = await readRun(path);
  output.write(`\n${formatSummary(summary, records)}run directory: ${path}\n`);
}
