// Several endpoints behind one door.
export { createModelPool } from './create-model-pool.ts';
// The same statistics without a pool.
export { measureModel } from './measure-model.ts';
// Health without generating.
export type { OpenAiProbeOptions } from './open-ai-probe.ts';
export { openAiProbe } from './open-ai-probe.ts';
// The door as a model.
export { createPooledEngine } from './pooled-engine.ts';
export { openPooledModel } from './pooled-model.ts';
export type {
  ModelPool,
  ModelPoolOptions,
  PoolCall,
  PooledModel,
  PoolMember,
  Split,
} from './types.ts';
