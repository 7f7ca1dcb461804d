import { reasoningAtStart } from '../_core/extensions/reasoning-at-start.ts';
import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import { spareName } from '../_core/json-calls/spare-name.ts';
import type { ToolCallParser } from '../types.ts';

/** Granite 3: a list behind a marker that is never closed, and phrases around the reasoning. */
export const graniteParser: ToolCallParser = markedJsonParser({
  name: 'granite',
  reasoning: [
    ['Here is my thought process:', 'Here is my response:'],
    ["Here's my thought process:", "Here's my response:"],
  ],
  machine: reasoningAtStart,
  endOfTurn: ['<|end_of_text|>'],
  opens: ['<tool_call>', '<|tool_call|>'],
  strays: ['</tool_call>'],
  envelope: spareName('type'),
  writeBlocks: (calls) => [`<tool_call>[${calls.join(', ')}]`],
});
