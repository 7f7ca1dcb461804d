import { createParser } from '../_core/create-parser.ts';
import { jsonBlock } from '../_core/json-calls/json-block.ts';
import { joinBlocks, renderEnvelope } from '../_core/render/render.ts';
import type { ToolCallParser } from '../types.ts';

const word = 'functools';
const open = `${word}[`;
const readList = jsonBlock({ openers: [open], closers: [], withoutBody: 'textBlock' });

/** Phi-4-mini: a list right behind the word `functools`, which is text elsewhere. */
export const phi4MiniJsonParser: ToolCallParser = createParser({
  name: 'phi4_mini_json',
  endOfTurn: ['<|end|>', '<|endoftext|>'],
  blocks: {
    [open](machine, start) {
      machine.pos -= 1; // the bracket belongs to the list
      return readList(machine, start, word);
    },
  },
  closers: [],
  render({ content, toolCalls }) {
    const calls = toolCalls.map((call) => renderEnvelope(call)).join(', ');
    return joinBlocks(content, calls === '' ? [] : [`${open}${calls}]`]);
  },
});
