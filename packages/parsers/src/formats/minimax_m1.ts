import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

/** MiniMax M1: an object a line between `<tool_calls>` tags. */
export const minimaxM1Parser: ToolCallParser = markedJsonParser({
  name: 'minimax_m1',
  reasoning: [['<think>', '</think>']],
  endOfTurn: ['<end_of_sentence>'],
  opens: ['<tool_calls>'],
  close: '</tool_calls>',
  writeBlocks: (calls) => [`<tool_calls>\n${calls.join('\n')}\n</tool_calls>`],
});
