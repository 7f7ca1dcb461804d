import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

/** Nemotron Nano 2 and Deci: a list between `<TOOLCALL>` tags. */
export const nemotronParser: ToolCallParser = markedJsonParser({
  name: 'nemotron',
  reasoning: [['<think>', '</think>']],
  endOfTurn: ['<SPECIAL_12>'],
  opens: ['<TOOLCALL>'],
  close: '</TOOLCALL>',
  writeBlocks: (calls) => [`<TOOLCALL>[${calls.join(', ')}]</TOOLCALL>`],
});
