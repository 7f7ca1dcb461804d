// An environment's way to its trainer.

export { checkGroup } from './client/check-group.ts';
export type {
  TrajectoryClient,
  TrajectoryClientOptions,
} from './client/create-trajectory-client.ts';
export { createTrajectoryClient } from './client/create-trajectory-client.ts';
export type { JoinedTrainer, JoinOptions } from './client/join-trainer.ts';
export { joinTrainer } from './client/join-trainer.ts';
// A server that speaks the trajectory API.
export type {
  TrajectoryServer,
  TrajectoryServerOptions,
} from './server/create-trajectory-server.ts';
export { createTrajectoryServer } from './server/create-trajectory-server.ts';
export type { TrajectoryMode } from './server/refusal.ts';
// What both sides throw.
export type { TrainerErrorCode } from './trainer-error.ts';
export { TrainerError } from './trainer-error.ts';
