import type { RunSummary } from '@hermes/env-core';
import type { MetricSink } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import { openRunTracker, type RunTrackerRequest } from './open-run-tracker.ts';
import { summaryValues } from './summary-values.ts';

/** Keeps the numbers of a run while it works, and those of its whole at its end. */
export async function tracked<Summary extends RunSummary>(
  request: RunTrackerRequest,
  context: CliContext,
  work: (metrics: readonly MetricSink[]) => Promise<Summary>,
): Promise<Summary> {
  const tracker = await openRunTracker(request, context);
  try {
    const summary = await work([tracker]);
    tracker.summary({ ...summaryValues(summary), ...request.run.chosen.stats?.() });
    return summary;
  } finally {
    await tracker.close();
  }
}
