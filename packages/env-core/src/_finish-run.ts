import type { RolloutRecord } from '@hermes/protocol';
import type { RunContext } from './_run-context.ts';
import type { RunSummary } from './run-events.ts';
import { summarise } from './summarise.ts';

/** Sums a run up, and hands the summary to the directory and to all who listen. */
export async function finishRun<Data>(
  context: RunContext<Data>,
  records: readonly RolloutRecord[],
  planned: number,
): Promise<RunSummary> {
  const { runId, options } = context;
  const { environment, definition, directory, seed = 0 } = options;
  const metrics = environment.aggregate?.(records) ?? {};
  const plan = { runId, environment: definition.id, planned, seed, metrics };
  const isUnplanned = planned === 0 && options.signal?.aborted === true;
  const summed = summarise(records, plan);
  const summary = isUnplanned ? { ...summed, interrupted: true } : summed;
  await directory?.summarised(summary);
  context.announce({ type: 'run_end', summary });
  return summary;
}

/** Tells the metrics of a run's end. prefix: of the names, such as `eval`. */
export function tellMetrics<Data>(
  { options, effects }: RunContext<Data>,
  prefix: string,
  { passed, failed, errored, scoreValid, scorePlanned, metrics }: RunSummary,
): void {
  const scores = { score_valid: scoreValid, score_planned: scorePlanned };
  const known = Object.entries({ passed, failed, errored, ...scores }).flatMap(([name, value]) =>
    value === null ? [] : [[`${prefix}/${name}`, value] as const],
  );
  const values = { ...Object.fromEntries(known), ...metrics };
  const { wallMs } = effects.clock.now();
  for (const sink of options.metrics ?? []) sink.write(0, wallMs, values);
}
