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
