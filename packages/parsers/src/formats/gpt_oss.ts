export { harmonyParser as gptOssParser } from './harmony.ts';
