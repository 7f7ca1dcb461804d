import type { RunSummary } from '@hermes/env-core';

/** What a summary says of the run as a whole. What is not known is left out. */
export function summaryValues(summary: RunSummary): Readonly<Record<string, number>> {
  const { total, passed, failed, errored, usage, costUsd, wallMs } = summary;
  const values: Readonly<Record<string, number | null>> = {
    'run/total': total,
    'run/passed': passed,
    'run/failed': failed,
    'run/errored': errored,
    'run/duration_seconds': wallMs / 1000,
    'run/input_tokens': usage.inputTokens,
    'run/output_tokens': usage.outputTokens,
    'run/cost_usd': costUsd,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
