import type { RolloutRecord } from '@hermes/protocol';
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
  const { environment, definition, directory, seed = 0 } = options;
  const metrics = environment.aggregate?.(records) ?? {};
  const plan = { runId, environment: definition.id, planned, seed, metrics };
  const isUnplanned = planned === 0 && options.signal?.aborted === true;
  const summed = summarise(records, plan);
  const summary = isCut || isUnplanned ? { ...summed, interrupted: true } : summed;
  await directory?.summarised(summary);
  context.announce({ type: 'run_end', summary });
  return summary;
}

/** Tells the metrics of a run's end. prefix: of the names, such as `eval`. */
export function tellMetrics<Data>(
  { options, effects }: RunContext<Data>,
  prefix: string,
  summary: RunSummary,
): void {
  const { wallMs } = effects.clock.now();
  for (const sink of options.metrics ?? []) sink.write(0, wallMs, summaryMetrics(prefix, summary));
}

/** Counts, scores and the environment's own numbers. A score that nothing was divided for is left out. */
export function summaryMetrics(
  prefix: string,
  { passed, failed, errored, scoreValid, scorePlanned, metrics }: RunSummary,
): Record<string, number> {
  const scores = { score_valid: scoreValid, score_planned: scorePlanned };
  const known = Object.entries({ passed, failed, errored, ...scores }).flatMap(([name, value]) =>
    value === null ? [] : [[`${prefix}/${name}`, value] as const],
  );
  return { ...Object.fromEntries(known), ...metrics };
}
