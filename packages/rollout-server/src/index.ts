// What a request brings back.
export type { WireRollout } from './rollouts/wire-rollout.ts';
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
