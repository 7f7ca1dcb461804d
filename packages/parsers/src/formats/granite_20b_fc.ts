import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

/** Granite 20B function calling: an object behind a marker, which is never closed. */
export const granite20bFcParser: ToolCallParser = markedJsonParser({
  name: 'granite_20b_fc',
  endOfTurn: ['<|endoftext|>'],
  opens: ['<function_call>'],
  writeBlocks: (calls) => calls.map((call) => `<function_call> ${call}`),
});
