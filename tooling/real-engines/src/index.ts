export {
  compareWithEngine,
  compareWithForcedPass,
  type Played,
} from './compare-with-engine.ts';
export { playForeignAgent } from './play-foreign-agent.ts';
export { playWithTools } from './play-with-tools.ts';
export { type OpenedServer, type RealServer, realServers } from './real-servers.ts';
export { type EngineCall, recording } from './recording-engine.ts';
export { rolloutScript } from './rollout-script.ts';
