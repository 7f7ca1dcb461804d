import type { Values } from './_parse-fields.ts';
import type { TRACKING_FIELDS } from './_training-keys.ts';

/** Section `env`: where the numbers of a run go. */
export type TrackingSettings = Readonly<{
  /** null = nobody said: where a key is set. */
  wandb: boolean | null;
  /** null = as the environment is called. */
  runName: string | null;
  /** Event files in the folder of the run. */
  tensorboard: boolean;
}>;

/** The values of section `env` as a tracker uses them. */
export function toTrackingSettings(values: Values<typeof TRACKING_FIELDS>): TrackingSettings {
  const { use_wandb: wandb, wandb_name: runName, tensorboard } = values;
  return { wandb, runName, tensorboard };
}
