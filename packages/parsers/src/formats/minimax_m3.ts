import { createParser } from '../_core/create-parser.ts';
import {
  compactJson,
  joinBlocks,
  renderParameters,
  renderReasoning,
} from '../_core/render/render.ts';
import { namedHeader } from '../_core/text-calls/tag-header.ts';
import { taggedCallBlocks } from '../_core/text-calls/tagged-call.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

/** Stands before every tag. */
const mark = ']<]minimax[>[';
const block = [`${mark}<tool_call>`, `${mark}</tool_call>`] as const;
const invoke = [`${mark}<invoke `, `${mark}</invoke>`] as const;
const thinking = ['<mm:think>', '</mm:think>'] as const;

/** MiniMax M3: marked tags; the tag of a parameter is its name. */
export const minimaxM3Parser: ToolCallParser = createParser({
  name: 'minimax_m3',
  reasoning: [thinking],
  endOfTurn: ['[e~['],
  blocks: taggedCallBlocks({
    block: { opens: [block[0]], closes: [block[1]] },
    withoutBlock: 'missing_wrapper',
    call: { open: invoke[0], end: '>', close: invoke[1] },
    parameter: {
      open: `${mark}<`,
      end: '>',
      close: (name) => `${mark}</${name}>`,
      not: [`${mark}</`],
    },
    readHeader: (text) => namedHeader(text) ?? tagName(text),
  }),
  closers: [block[1], invoke[1]],
  spell: compactJson,
  render,
});

function tagName(text: string): { name: string } | null {
  return /^[^\s/<>][^\s<>]*$/.test(text) ? { name: text } : null;
}

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall).join('');
  const blocks = calls === '' ? [] : [block[0] + calls + block[1]];
  return renderReasoning(message, thinking, '') + joinBlocks(message.content, blocks);
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  const parameters = renderParameters(
    text,
    (key, value) => `${mark}<${key}>${value}${mark}</${key}>`,
    /\]<\]minimax\[>\[/,
  );
  return `${invoke[0]}name="${name}">${parameters}${invoke[1]}`;
}
