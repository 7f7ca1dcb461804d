import { createParser } from '../_core/create-parser.ts';
import { jsonBlock } from '../_core/json-calls/json-block.ts';
import {
  compactJson,
  joinBlocks,
  renderParameters,
  renderReasoning,
} from '../_core/render/render.ts';
import { namedHeader } from '../_core/text-calls/tag-header.ts';
import { taggedCallBlocks } from '../_core/text-calls/tagged-call.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

const block = ['<minimax:tool_call>', '</minimax:tool_call>'] as const;
const m1Block = ['<tool_calls>', '</tool_calls>'] as const;
const thinking = ['<think>', '</think>'] as const;

/** MiniMax M2: invocations and parameters as tags. The JSON block of M1 is read too. */
export const minimaxM2Parser: ToolCallParser = createParser({
  name: 'minimax_m2',
  reasoning: [thinking],
  endOfTurn: ['[e~['],
  blocks: {
    ...taggedCallBlocks({
      block: { opens: [block[0]], closes: [block[1]] },
      withoutBlock: 'text',
      call: { open: '<invoke ', end: '>', close: '</invoke>' },
      parameter: { open: '<parameter ', end: '>', close: '</parameter>' },
      readHeader: namedHeader,
    }),
    [m1Block[0]]: jsonBlock({ openers: [m1Block[0]], closers: [m1Block[1]] }),
  },
  closers: [block[1], m1Block[1]],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall).join('');
  const blocks = calls === '' ? [] : [`${block[0]}\n${calls}${block[1]}`];
  return renderReasoning(message, thinking) + joinBlocks(message.content, blocks);
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  const parameters = renderParameters(
    text,
    (key, value) => `<parameter name="${key}">${value}</parameter>\n`,
    /<\/(?:parameter|invoke)>/,
  );
  return `<invoke name="${name}">\n${parameters}</invoke>\n`;
}
