import type { Effects } from '@hermes/protocol';
import { createTracker } from './create-tracker.ts';
import { createJsonlTarget } from './jsonl-target.ts';
import { createOpenTelemetryTarget } from './opentelemetry/opentelemetry-target.ts';
import { createTensorBoardTarget } from './tensorboard/tensorboard-target.ts';
import type { MetricTarget, Tracker, TrackingSettings } from './types.ts';
import { createWandbTarget } from './wandb/wandb-target.ts';

/** A tracker over all targets that the settings name. Nothing is opened, created or started before there is something to write. */
export function openTracker(settings: TrackingSettings, effects: Partial<Effects> = {}): Tracker {
  const { jsonl, tensorBoard, openTelemetry, wandb, ...options } = settings;
  const targets: MetricTarget[] = [];
  if (jsonl) targets.push(createJsonlTarget(jsonl.path));
  if (tensorBoard) targets.push(createTensorBoardTarget(tensorBoard.folder, effects));
  if (openTelemetry) targets.push(createOpenTelemetryTarget(openTelemetry));
  if (wandb) targets.push(createWandbTarget(wandb));
  return createTracker(targets, options, effects);
}
