import type { ProcessSummary, RunDirectory, TrainingFile } from '@hermes/env-core';
import type { Output } from '../context.ts';
import { formatCost, formatCount, formatDuration, formatPlural } from '../display/format.ts';

type Places = Readonly<{ file: TrainingFile; directory: RunDirectory }>;

/** What came of it, and where it is: as words, or as the last line of `--json`. */
export function printProcessSummary(
  summary: ProcessSummary,
  { file, directory }: Places,
  { json }: Readonly<{ json?: boolean }>,
  output: Output,
): void {
  const lines = file.counts();
  const { paths, page } = file;
  const places = { lines, paths, page, runDirectory: directory.path };
  output.write(
    json === true
      ? `${JSON.stringify({ type: 'summary', ...summary, ...places })}\n`
      : `\n${asWords(summary, { file, directory })}\n`,
  );
}

function asWords(summary: ProcessSummary, { file, directory }: Places): string {
  const { environment, groups } = summary;
  const { found, written, duplicates } = file.counts();
  const skipped = Object.entries(groups.skipped).map(([reason, n]) => `, ${n} skipped (${reason})`);
  return [
    `${environment}: ${formatPlural(groups.planned, 'group')}, ${groups.written} written${skipped.join('')}`,
    `${formatPlural(written, 'line')} written${found === 0 ? '' : `, ${found} were there before`}${duplicates === 0 ? '' : `, ${formatPlural(duplicates, 'duplicate')} left out`}`,
    `trajectories: ${summary.passed} passed, ${summary.failed} failed, ${summary.errored} errored${meanOf(summary)}`,
    `tokens ${formatCount(summary.usage.totalTokens)}, cost ${formatCost(summary.costUsd)}, time ${formatDuration(summary.wallMs)}`,
    ...(summary.interrupted ? ['not complete: the same command with --resume goes on'] : []),
    ...file.paths.map((path) => `file: ${path}`),
    ...(file.page === null ? [] : [`page: ${file.page}`]),
    `run directory: ${directory.path}`,
  ].join('\n');
}

function meanOf({ scoreValid }: ProcessSummary): string {
  return scoreValid === null ? '' : `; mean reward ${scoreValid.toFixed(3)}`;
}
