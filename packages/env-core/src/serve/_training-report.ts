import type { CompletedRollout, MetricSink, RolloutRecord, ScoredGroup } from '@hermes/protocol';
import { cut, rolloutText } from './_rollout-text.ts';
import { meanOf, spread } from './_spread.ts';
import type { TrainingReportRules } from './serve-rules.ts';

/** A group that has ended, as the report needs it. group null: it was not sent. */
type Ended = Readonly<{
  records: readonly RolloutRecord[];
  group: ScoredGroup | null;
  durationMs: number;
}>;

/** Collects what happened since it was last told, under the names that trainers' dashboards know. */
export type TrainingReport = Readonly<{
  ended: (group: Ended) => void;
  /** Tells it where enough was sent since the last time. extra: more values to go with it. */
  tell: (at: ReportPlace, extra?: Readonly<Record<string, number>>) => void;
  /** Tells these values now. */
  tellOnly: (at: ReportPlace, values: Readonly<Record<string, number>>) => void;
}>;

/** Where a report belongs. prefix: the environment's name at the trainer. */
export type ReportPlace = Readonly<{
  step: number;
  wallMs: number;
  prefix: string;
  maxTokens: number | null;
}>;

/** Nothing is kept where nobody listens. */
export function openTrainingReport(
  sinks: readonly MetricSink[],
  { minGroups = 2, rolloutsPerGroup = 1, rolloutsToKeep = 32, secrets = [] }: TrainingReportRules,
): TrainingReport {
  let ended: Ended[] = [];
  let rows: (readonly [string, number])[] = [];
  const masked = (text: string) =>
    secrets.filter(Boolean).reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
  const tellOnly: TrainingReport['tellOnly'] = ({ step, wallMs, prefix }, values) => {
    const finite = Object.entries(values).filter(([, value]) => Number.isFinite(value));
    const named = finite.map(([name, value]) => [`${prefix}_${name}`, value] as const);
    for (const sink of sinks) sink.write(step, wallMs, Object.fromEntries(named));
  };
  return {
    ended: (one) => {
      if (sinks.length === 0) return;
      ended.push(one);
      const shown = rolloutsPerGroup < 0 ? one.records : one.records.slice(0, rolloutsPerGroup);
      if (one.group === null) return;
      rows = [...rows, ...shown.filter(isCompleted).map(rowOf)].slice(-rolloutsToKeep);
    },
    tell: (at, extra = {}) => {
      const sent = ended.filter(({ group }) => group !== null);
      if (sinks.length === 0 || sent.length < minGroups) return;
      tellOnly(at, { ...valuesOf(ended, at.maxTokens), ...extra });
      for (const sink of sinks) {
        const table = (name: string, columns: readonly string[], lines: typeof rows) =>
          sink.table?.(
            `${at.prefix}_${name}`,
            at.step,
            columns,
            lines.map(([text, value]) => [masked(text), value]),
          );
        table('train/rollouts', ['text', 'score'], rows);
        const errors = toolErrors(ended);
        if (errors.length > 0) table('train/tool_error_details', ['error', 'turn'], errors);
      }
      ended = [];
    },
    tellOnly,
  };
}

function valuesOf(ended: readonly Ended[], maxTokens: number | null): Record<string, number> {
  const sent = ended.flatMap(({ group, records }) => (group === null ? [] : [{ group, records }]));
  const lengths = sent.flatMap(({ group }) => group.sequences.map(({ mask }) => sampledIn(mask)));
  const records = sent.flatMap((one) => one.records).filter(isCompleted);
  const passed = records.filter(({ reward }) => reward.resolved).length / records.length;
  const errored = ended.flatMap((one) => one.records).filter((one) => one.status === 'errored');
  return {
    ...spread(lengths, LENGTH_NAMES),
    ...(maxTokens === null
      ? {}
      : { 'train/completion_lengths_p95': nearLimit(lengths, maxTokens) }),
    'train/avg_reward': meanOf(records.map(({ reward }) => reward.reward)),
    'train/pass_rate': passed,
    'train/percent_correct': passed,
    'train/tool_use_rate': records.filter(usedTools).length / records.length,
    'train/tool_errors_count': toolErrors(ended).length,
    'train/items_sent_to_api': sent.length,
    'train/items_rejected': ended.length - sent.length,
    'train/invalid_rollouts': errored.length,
    ...durations('task_duration', ended),
    ...durations(
      'succeeded_task_duration',
      ended.filter(({ group }) => group !== null),
    ),
    ...durations(
      'failed_task_duration',
      ended.filter(({ group }) => group === null),
    ),
  };
}

const LENGTH_NAMES = {
  mean: 'train/completion_lengths',
  std: 'train/completion_lengths_std',
  max: 'train/completion_lengths_max',
  min: 'train/completion_lengths_min',
};

/** In seconds, as the original's were; a single one has no spread. */
function durations(name: string, ended: readonly Ended[]): Record<string, number> {
  if (ended.length < 2) return {};
  const names = (end: string) => `train_perf/${name}_${end}`;
  return spread(
    ended.map(({ durationMs }) => durationMs / 1000),
    { mean: names('mean'), std: names('std'), max: names('max'), min: names('min') },
  );
}

/** Despite its name the share of answers that came near the limit: dashboards know it so. */
function nearLimit(lengths: readonly number[], maxTokens: number): number {
  return lengths.filter((length) => length > 0.95 * maxTokens).length / lengths.length;
}

function sampledIn(mask: readonly number[]): number {
  return mask.reduce((count, id) => (id === -100 ? count : count + 1), 0);
}

function isCompleted(record: RolloutRecord): record is CompletedRollout {
  return record.status === 'completed';
}

function usedTools({ agent }: RolloutRecord): boolean {
  return (agent?.toolCalls.attempted ?? 0) > 0;
}

function rowOf({ agent, reward }: CompletedRollout): readonly [string, number] {
  return [rolloutText(agent?.messages ?? []), reward.reward];
}

function toolErrors(ended: readonly Ended[]): (readonly [string, number])[] {
  const errors = ended.flatMap(({ records }) =>
    records.flatMap(({ agent }) => agent?.toolErrors ?? []),
  );
  return errors.map(({ turn, toolName, rawArguments, error }) => [
    `[turn ${turn}] ${toolName}(${cut(rawArguments, 80)}) -> ${cut(error, 150)}`,
    turn,
  ]);
}
