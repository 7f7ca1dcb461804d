// The service.
export { startRolloutServer } from './start-rollout-server.ts';
export type {
  EnvironmentToOpen,
  OpenEnvironment,
  RolloutRules,
  RolloutServer,
  RolloutServerOptions,
  ServedEnvironment,
} from './types.ts';
