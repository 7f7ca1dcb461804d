export { qwen3CoderParser as qwen3CodeParser } from './qwen3_coder.ts';
