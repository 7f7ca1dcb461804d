import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

/** Jamba: a list between `<tool_calls>` tags. */
export const jambaParser: ToolCallParser = markedJsonParser({
  name: 'jamba',
  endOfTurn: ['<|eom|>', '<|endoftext|>'],
  opens: ['<tool_calls>'],
  close: '</tool_calls>',
  writeBlocks: (calls) => [`<tool_calls>[\n${calls.join(',\n')}\n]</tool_calls>`],
});
