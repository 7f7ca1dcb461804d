import { field, type Theme, theme } from './_fields.ts';
import { flag, nullable, text } from './_kinds.ts';

/** Section `env`: where the numbers of a run go. */
export type TrackingSettings = Readonly<{
  /** null = nobody said: where a key is set. */
  wandb: boolean | null;
  /** null = as the environment is called. */
  runName: string | null;
  /** Event files in the folder of the run. */
  tensorboard: boolean;
}>;

/** Its keys. */
export const trackingKeys: Theme<TrackingSettings> = theme(
  {
    use_wandb: field(
      nullable(flag()),
      null,
      'tell Weights & Biases; null: where WANDB_API_KEY is set',
    ),
    wandb_name: field(
      nullable(text('my-run')),
      null,
      'name of the run there; null: the environment',
    ),
    tensorboard: field(flag(), true, 'event files for TensorBoard in the folder of the run'),
  },
  ({ use_wandb: wandb, wandb_name: runName, tensorboard }) => ({ wandb, runName, tensorboard }),
);
