// The service.
export { startRolloutServer } from './start-rollout-server.ts';
export type {
  RolloutRules,
  RolloutServer,
  RolloutServerOptions,
  ServedEnvironment,
} from './types.ts';
