import type { TrajectoryMode } from '@hermes/atropos';

/** The flags of `hermes trainer-api`. */
export type TrainerApiFlags = Readonly<{
  host?: string;
  port?: number;
  tokenFile?: string;
  logDir?: string;
  mode?: TrajectoryMode;
  json?: boolean;
}>;
