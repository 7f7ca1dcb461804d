import { join } from 'node:path';
import type { RunCommand, RunDirectory } from '@hermes/env-core';
import { openTelemetrySettings, openTracker, type Tracker } from '@hermes/tracking';
import type { CliContext } from '../context.ts';
import type { OpenedRun } from '../open-run.ts';
import { wandbSettings } from './wandb-settings.ts';

/** Which run is tracked. */
export type RunTrackerRequest = Readonly<{
  command: RunCommand;
  run: Pick<OpenedRun, 'definition' | 'config' | 'effects' | 'chosen'>;
  directory: Pick<RunDirectory, 'path' | 'runId'>;
  /** Asked when there is something to tell. */
  trainer?: () => Promise<TrackingNames>;
}>;

/** How a trainer calls the whole that a run belongs to; null = it does not say. */
export type TrackingNames = Readonly<{ group: string | null; project: string | null }>;

/** Everything that the configuration and the variables of this machine ask for: files in the run directory always, services only where there is an address or a key. */
export async function openRunTracker(
  request: RunTrackerRequest,
  context: CliContext,
): Promise<Tracker> {
  const { command, directory, run } = request;
  const openTelemetry = openTelemetrySettings(context.environmentVariables);
  const wandb = await wandbSettings(request, context);
  const attributes = {
    'hermes.command': command,
    'hermes.environment': run.definition.id,
    'hermes.run': directory.runId,
    ...openTelemetry?.attributes,
  };
  const settings = {
    jsonl: { path: join(directory.path, 'metrics.jsonl') },
    ...(run.config.tracking.tensorboard
      ? { tensorBoard: { folder: join(directory.path, 'tensorboard') } }
      : {}),
    ...(openTelemetry === null ? {} : { openTelemetry: { ...openTelemetry, attributes } }),
    ...(wandb === null ? {} : { wandb }),
  };
  return openTracker(settings, run.effects);
}
