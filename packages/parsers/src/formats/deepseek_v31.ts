export { deepseekV31Parser } from './deepseek_v3_1.ts';
