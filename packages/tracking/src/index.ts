// A tracker, ready made or over targets of one's own.
export { createTracker } from './create-tracker.ts';
// The targets.
export { createJsonlTarget } from './jsonl-target.ts';
export { openTracker } from './open-tracker.ts';
export { createOpenTelemetryTarget } from './opentelemetry/opentelemetry-target.ts';
// What environment variables say.
export { openTelemetrySettings, wandbMode } from './settings.ts';
export { createTensorBoardTarget } from './tensorboard/tensorboard-target.ts';
export type {
  MetricTarget,
  OpenTelemetrySettings,
  TrackedEntry,
  Tracker,
  TrackerOptions,
  TrackingSettings,
  WandbSettings,
} from './types.ts';
export { createWandbTarget } from './wandb/wandb-target.ts';
