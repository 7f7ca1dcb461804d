import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

/** GigaChat 3: an object behind a marker, which is never closed. */
export const gigachat3Parser: ToolCallParser = markedJsonParser({
  name: 'gigachat3',
  cut: ['<|message_sep|>\n\n', '<|message_sep|>'],
  endOfTurn: ['</s>'],
  opens: ['<|function_call|>', 'function call<|role_sep|>'],
  writeBlocks: (calls) => calls.map((call) => `<|function_call|>${call}`),
});
