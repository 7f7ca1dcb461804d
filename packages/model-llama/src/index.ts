export { type LlamaOptions, openLlamaEngine } from './open-llama-engine.ts';
