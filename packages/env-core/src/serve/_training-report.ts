import type { MetricSink } from '@hermes/protocol';
import type { TrainingReportRules } from '../training-report-rules.ts';
import {
  type Aggregate,
  type Ended,
  isCompleted,
  isHandedOver,
  type Round,
  roundValues,
  rowOf,
  toolErrors,
  valuesOf,
} from './_training-values.ts';

/** Collects what happened since it was last told, under the names that trainers' dashboards know. */
export type TrainingReport = Readonly<{
  ended: (group: Ended) => void;
  /** One round of looking at the trainer and starting groups. */
  round: (round: Round) => void;
  /** Tells it where enough was sent since the last time. extra: more values to go with it. */
  tell: (at: ReportPlace, extra?: Readonly<Record<string, number>>) => void;
  /** Tells these values now. */
  tellOnly: (at: ReportPlace, values: Readonly<Record<string, number>>) => void;
}>;

/** Where a report belongs. prefix: the environment's name at the trainer; null without one. */
export type ReportPlace = Readonly<{
  step: number;
  wallMs: number;
  prefix: string | null;
  maxTokens: number | null;
}>;

/** Nothing is kept where nobody listens. aggregate: must not throw. */
export function openTrainingReport(
  sinks: readonly MetricSink[],
  aggregate: Aggregate,
  {
    minGroups = 2,
    rolloutsPerGroup = 1,
    rolloutsToKeep = 32,
    secrets = [],
    more,
  }: TrainingReportRules,
): TrainingReport {
  let ended: Ended[] = [];
  let rounds: Round[] = [];
  let rows: (readonly [string, number])[] = [];
  const masked = (text: string) =>
    secrets.filter(Boolean).reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
  const tellOnly: TrainingReport['tellOnly'] = ({ step, wallMs, prefix }, values) => {
    const finite = Object.entries(values).filter(([, value]) => Number.isFinite(value));
    const named = finite.map(([name, value]) => [nameWith(prefix, name), value] as const);
    for (const sink of sinks) sink.write(step, wallMs, Object.fromEntries(named));
  };
  return {
    ended: (one) => {
      if (sinks.length === 0) return;
      ended.push(one);
      const shown = rolloutsPerGroup < 0 ? one.records : one.records.slice(0, rolloutsPerGroup);
      if (!isHandedOver(one)) return;
      rows = [...rows, ...shown.filter(isCompleted).map(rowOf)].slice(-rolloutsToKeep);
    },
    round: (round) => {
      if (sinks.length > 0) rounds.push(round);
    },
    tell: (at, extra = {}) => {
      if (sinks.length === 0 || ended.filter(isHandedOver).length < minGroups) return;
      const values = valuesOf(ended, at.maxTokens, aggregate);
      tellOnly(at, { ...values, ...roundValues(rounds), ...extra });
      if (more !== undefined) for (const sink of sinks) sink.write(at.step, at.wallMs, more());
      for (const sink of sinks) {
        const table = (name: string, columns: readonly string[], lines: typeof rows) =>
          sink.table?.(
            nameWith(at.prefix, name),
            at.step,
            columns,
            lines.map(([text, value]) => [masked(text), value]),
          );
        if (rows.length > 0) table('train/rollouts', ['text', 'score'], rows);
        const errors = toolErrors(ended);
        if (errors.length > 0) table('train/tool_error_details', ['error', 'turn'], errors);
      }
      ended = [];
      rounds = [];
      rows = [];
    },
    tellOnly,
  };
}

function nameWith(prefix: string | null, name: string): string {
  return prefix === null ? name : `${prefix}_${name}`;
}
