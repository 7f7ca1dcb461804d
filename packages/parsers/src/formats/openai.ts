export { harmonyParser as openaiParser } from './harmony.ts';
