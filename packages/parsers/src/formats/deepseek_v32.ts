import { dsmlParser } from '../_core/text-calls/dsml.ts';
import type { ToolCallParser } from '../types.ts';

/** DeepSeek V3.2: DSML tags that say whether a value is a string. */
export const deepseekV32Parser: ToolCallParser = dsmlParser('deepseek_v32', 'function_calls');
