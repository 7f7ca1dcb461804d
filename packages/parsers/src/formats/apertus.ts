import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import { namedCalls } from '../_core/json-calls/named-calls.ts';
import type { ToolCallParser } from '../types.ts';

const open = '<|tools_prefix|>';
const close = '<|tools_suffix|>';

/** Apertus: an array of objects whose keys are names and whose values are arguments. */
export const apertusParser: ToolCallParser = markedJsonParser({
  name: 'apertus',
  endOfTurn: ['<|assistant_end|>', '</s>'],
  opens: [open],
  close,
  envelope: namedCalls,
  writeCall: ({ function: { name, arguments: text } }) => `{${JSON.stringify(name)}: ${text}}`,
  writeBlocks: (calls) => [`${open}[${calls.join(', ')}]${close}`],
});
