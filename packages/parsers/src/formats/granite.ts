import { usualKeys } from '../_core/envelope.ts';
import { markedJsonParser } from '../_core/marked-json.ts';
import { isReasoningTagBehindStart } from '../_core/reasoning-at-start.ts';
import type { ToolCallParser } from '../types.ts';

/** Granite 3: a list behind a marker that is never closed, and phrases around the reasoning. */
export const graniteParser: ToolCallParser = markedJsonParser({
  name: 'granite',
  reasoning: [
    ['Here is my thought process:', 'Here is my response:'],
    ["Here's my thought process:", "Here's my response:"],
  ],
  isPlain: isReasoningTagBehindStart,
  endOfTurn: ['<|end_of_text|>'],
  opens: ['<tool_call>', '<|tool_call|>'],
  strays: ['</tool_call>'],
  keys: {
    ...usualKeys,
    spareName: (members) => (members.has('name') ? undefined : members.get('type')),
  },
  writeBlocks: (calls) => [`<tool_call>[${calls.join(', ')}]`],
});
