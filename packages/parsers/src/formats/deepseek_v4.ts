import { dsmlParser } from '../_core/text-calls/dsml.ts';
import type { ToolCallParser } from '../types.ts';

/** DeepSeek V4: the tags of V3.2 in a block `tool_calls`. */
export const deepseekV4Parser: ToolCallParser = dsmlParser('deepseek_v4', 'tool_calls');
