import type { RolloutRecord } from '@hermes/protocol';
import { ownMetrics } from './_own-metrics.ts';
import type { RunContext } from './_run-context.ts';
import type { ProcessRules } from './process-rules.ts';
import { openTrainingReport } from './serve/_training-report.ts';
import { sampledIn } from './serve/_training-values.ts';

/** Tells the metric sinks of every group that has come to its end, under the names that a trainer's dashboard knows; the step is how many have. */
export type ProcessReport = Readonly<{
  ended: (step: number, records: readonly RolloutRecord[], outcome: 'written' | 'skipped') => void;
}>;

/** Nothing is told where nobody listens. */
export function openProcessReport<Data>(
  context: RunContext<Data>,
  rules: ProcessRules,
): ProcessReport {
  const { options, effects } = context;
  const aggregate = (records: readonly RolloutRecord[]) => ownMetrics(context, records);
  const everyGroup = { minGroups: 1, ...rules.report };
  const report = openTrainingReport(options.metrics ?? [], aggregate, everyGroup);
  return {
    ended: (step, records, outcome) => {
      const lengths = outcome === 'written' ? records.flatMap(lengthsOf) : null;
      report.ended({ records, lengths, durationMs: spanMs(records) });
      const { wallMs } = effects.clock.now();
      report.tell({ step, wallMs, prefix: null, maxTokens: null });
    },
  };
}

/** Counted exactly where there are tokens, else as the server says. */
function lengthsOf({ segments, usage }: RolloutRecord): readonly number[] {
  const exact = segments.filter(({ source }) => source === 'engine');
  if (exact.length > 0) return exact.map(({ mask }) => sampledIn(mask));
  return usage.outputTokens === null ? [] : [usage.outputTokens];
}

/** From the start of the first to the end of the last; by the wall clock, since an earlier process may have played some. */
function spanMs(records: readonly RolloutRecord[]): number {
  if (records.length === 0) return 0;
  const starts = records.map(({ timings }) => timings.startedAt.wallMs);
  const ends = records.map(({ timings }) => timings.endedAt.wallMs);
  return Math.max(0, Math.max(...ends) - Math.min(...starts));
}
