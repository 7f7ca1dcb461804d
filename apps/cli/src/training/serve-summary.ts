import type { ServeSummary } from '@hermes/env-core';
import type { Output } from '../context.ts';
import { formatCost, formatCount, formatDuration, formatPlural } from '../display/format.ts';

/** What came of it, and where it is kept: as words, or as the last line of `--json`. */
export function printServeSummary(
  summary: ServeSummary,
  runDirectory: string,
  { json }: Readonly<{ json?: boolean }>,
  output: Output,
): void {
  output.write(
    json === true
      ? `${JSON.stringify({ type: 'summary', ...summary, runDirectory })}\n`
      : `\n${asWords(summary, runDirectory)}\nrun directory: ${runDirectory}\n`,
  );
}

function asWords(summary: ServeSummary, runDirectory: string): string {
  const { environment, groups, step } = summary;
  return [
    `${environment}: the trainer is at step ${step}`,
    `groups: ${groups.sent} sent${byReason('skipped', groups.skipped)}${byReason('refused', groups.refused)}`,
    ...(groups.truncated === 0
      ? []
      : [`${formatPlural(groups.truncated, 'sequence')} cut to the trainer's limit`]),
    ...(groups.segmentsLeftOut === 0
      ? []
      : [`${formatPlural(groups.segmentsLeftOut, 'token segment')} of sent rollouts left out`]),
    ...(groups.trainerLost === 0
      ? []
      : [`the trainer was lost and found again: ${groups.trainerLost}`]),
    ...(groups.evaluations + groups.evaluationsFailed === 0
      ? []
      : [`evaluations: ${groups.evaluations}, failed: ${groups.evaluationsFailed}`]),
    `trajectories: ${summary.passed} passed, ${summary.failed} failed, ${summary.errored} errored`,
    `tokens ${formatCount(summary.usage.totalTokens)}, cost ${formatCost(summary.costUsd)}, time ${formatDuration(summary.wallMs)}`,
    ...(summary.interrupted ? [`not complete: --run-dir ${runDirectory} --resume goes on`] : []),
  ].join('\n');
}

function byReason(word: string, counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, count]) => `, ${count} ${word} (${reason})`)
    .join('');
}
