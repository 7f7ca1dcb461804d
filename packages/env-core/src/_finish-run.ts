import type { RolloutRecord } from '@hermes/protocol';
import { categoryRates } from './_category-rates.ts';
import { underPrefix } from './_metric-names.ts';
import { ownMetrics } from './_own-metrics.ts';
import type { RunContext } from './_run-context.ts';
import type { RunSummary } from './run-events.ts';
import { summarise } from './summarise.ts';

/** Sums a run up, and hands the summary to the directory and to all who listen. isCut: it was ended early, whatever its records say. */
export async function finishRun<Data>(
  context: RunContext<Data>,
  records: readonly RolloutRecord[],
  planned: number,
  isCut = false,
): Promise<RunSummary> {
  const { runId, options } = context;
  const { definition, directory, seed = 0 } = options;
  const metrics = ownMetrics(context, records);
  const plan = { runId, environment: definition.id, planned, seed, metrics };
  const isUnplanned = planned === 0 && options.signal?.aborted === true;
  const summed = summarise(records, plan);
  const summary = isCut || isUnplanned ? { ...summed, interrupted: true } : summed;
  await directory?.summarised(summary);
  context.announce({ type: 'run_end', summary });
  return summary;
}

/** Tells the metrics of a run's end. prefix: of the names, such as `eval`. records: those that the summary was made from. */
export function tellMetrics<Data>(
  { options, effects }: RunContext<Data>,
  prefix: string,
  summary: RunSummary,
  records: readonly RolloutRecord[],
): void {
  const { wallMs } = effects.clock.now();
  const values = {
    ...summaryMetrics(prefix, summary),
    ...underPrefix(prefix, categoryRates(records)),
  };
  for (const sink of options.metrics ?? []) sink.write(0, wallMs, values);
}

/** Counts, scores and the environment's own numbers, under the names that dashboards know. A score that nothing was divided for is left out. */
export function summaryMetrics(prefix: string, summary: RunSummary): Record<string, number> {
  const { total, passed, failed, errored, scoreValid, scorePlanned, wallMs, metrics } = summary;
  const scored = passed + failed;
  const passRate = scored === 0 ? null : passed / scored;
  const values = {
    ...{ passed, failed, errored, score_valid: scoreValid, score_planned: scorePlanned },
    ...{ pass_rate: passRate, percent_correct: passRate, avg_reward: scoreValid },
    ...{ total, total_tasks: total, passed_tasks: passed, num_samples: scored },
    evaluation_time_seconds: wallMs / 1000,
  };
  const known = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return underPrefix(prefix, { ...Object.fromEntries(known), ...metrics });
}
