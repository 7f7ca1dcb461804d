import type { CompletedRollout, RolloutRecord } from '@hermes/protocol';
import { underPrefix } from '../_metric-names.ts';
import { cut, rolloutText } from './_rollout-text.ts';
import { meanOf, spread } from './_spread.ts';

/** A group that has ended, as a report needs it. */
export type Ended = Readonly<{
  records: readonly RolloutRecord[];
  /** Of what was handed over, in tokens that the model made; null: nothing was. */
  lengths: readonly number[] | null;
  durationMs: number;
}>;

/** The environment's own numbers. */
export type Aggregate = (records: readonly RolloutRecord[]) => Readonly<Record<string, number>>;

/** One round of looking at the trainer and starting groups. */
export type Round = Readonly<{ durationMs: number; started: number }>;

/** What groups tell, at least one of them handed over. */
export function valuesOf(
  ended: readonly Ended[],
  maxTokens: number | null,
  aggregate: Aggregate,
): Record<string, number> {
  const sent = ended.filter(isHandedOver);
  const lengths = sent.flatMap((one) => one.lengths ?? []);
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
    'train/total_rollouts': records.length,
    'train/tool_use_rate':
      records.filter((record) => toolCalls(record) > 0).length / records.length,
    'train/avg_tool_calls': meanOf(records.map(toolCalls)),
    'train/tool_errors_count': toolErrors(ended).length,
    'train/items_sent_to_api': sent.length,
    'train/items_rejected': ended.length - sent.length,
    'train/invalid_rollouts': errored.length,
    ...durations('task_duration', ended),
    ...durations('succeeded_task_duration', sent),
    ...durations(
      'failed_task_duration',
      ended.filter((one) => !isHandedOver(one)),
    ),
    ...underPrefix('train', aggregate(records)),
  };
}

const LENGTH_NAMES = {
  mean: 'train/completion_lengths',
  std: 'train/completion_lengths_std',
  max: 'train/completion_lengths_max',
  min: 'train/completion_lengths_min',
};

/** What rounds tell. */
export function roundValues(rounds: readonly Round[]): Record<string, number> {
  const started = rounds.map((round) => round.started);
  return {
    ...durations('mainloop_timings', rounds),
    ...perf('workers_added_per_attempt', started),
  };
}

/** In seconds, as dashboards know them. */
function durations(
  name: string,
  timed: readonly Readonly<{ durationMs: number }>[],
): Record<string, number> {
  return perf(
    name,
    timed.map(({ durationMs }) => durationMs / 1000),
  );
}

/** A single value has no spread. */
function perf(name: string, values: readonly number[]): Record<string, number> {
  if (values.length < 2) return {};
  const names = (end: string) => `train_perf/${name}_${end}`;
  return spread(values, {
    mean: names('mean'),
    std: names('std'),
    max: names('max'),
    min: names('min'),
  });
}

/** Despite its name the share of answers that came near the limit: dashboards know it so. */
function nearLimit(lengths: readonly number[], maxTokens: number): number {
  return lengths.filter((length) => length > 0.95 * maxTokens).length / lengths.length;
}

/** How many of the tokens the model made. */
export function sampledIn(mask: readonly number[]): number {
  return mask.reduce((count, id) => (id === -100 ? count : count + 1), 0);
}

/** Whether it went to the trainer, or into the file. */
export function isHandedOver({ lengths }: Ended): boolean {
  return lengths !== null;
}

/** Whether it has a score. */
export function isCompleted(record: RolloutRecord): record is CompletedRollout {
  return record.status === 'completed';
}

function toolCalls({ agent }: RolloutRecord): number {
  return agent?.toolCalls.attempted ?? 0;
}

/** A rollout as a row of the table. */
export function rowOf({ agent, reward }: CompletedRollout): readonly [string, number] {
  return [rolloutText(agent?.messages ?? []), reward.reward];
}

/** One line a failed tool call, with its turn. */
export function toolErrors(ended: readonly Ended[]): (readonly [string, number])[] {
  const errors = ended.flatMap(({ records }) =>
    records.flatMap(({ agent }) => agent?.toolErrors ?? []),
  );
  return errors.map(({ turn, toolName, rawArguments, error }) => [
    `[turn ${turn}] ${toolName}(${cut(rawArguments, 80)}) -> ${cut(error, 150)}`,
    turn,
  ]);
}
