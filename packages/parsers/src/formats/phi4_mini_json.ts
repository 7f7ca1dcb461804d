import { continueWith } from '../_core/continue-with.ts';
import { createParser } from '../_core/create-parser.ts';
import type { BlockReader, OpenBlock } from '../_core/format.ts';
import { jsonBlock } from '../_core/json-calls/json-block.ts';
import { joinBlocks, renderEnvelope } from '../_core/render/render.ts';
import type { ToolCallParser } from '../types.ts';

const word = 'functools';
const open = `${word}[`;
const readList = jsonBlock({ openers: [open], closers: [] });

/** Phi-4-mini: a list right behind the word `functools`, which is text elsewhere. */
export const phi4MiniJsonParser: ToolCallParser = createParser({
  name: 'phi4_mini_json',
  endOfTurn: ['<|end|>', '<|endoftext|>'],
  blocks: { [open]: listBehindWord },
  closers: [],
  render({ content, toolCalls }) {
    const calls = toolCalls.map((call) => renderEnvelope(call)).join(', ');
    return joinBlocks(content, calls === '' ? [] : [`${open}${calls}]`]);
  },
});

function listBehindWord(...[machine, start]: Parameters<OpenBlock>): BlockReader {
  return {
    step() {
      if (!machine.skipSpace()) return 'more';
      if ('{]'.includes(machine.character)) {
        machine.rewind(start + word.length); // the bracket belongs to the list
        continueWith(machine, readList, start, word);
      } else machine.textBlock(start, open);
      return 'again';
    },
    cut: () => machine.truncate(start),
  };
}
