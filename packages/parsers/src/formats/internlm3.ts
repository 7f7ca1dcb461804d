export { internlmParser as internlm3Parser } from './internlm.ts';
