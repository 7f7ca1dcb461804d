export { internlmParser as internlm2Parser } from './internlm.ts';
