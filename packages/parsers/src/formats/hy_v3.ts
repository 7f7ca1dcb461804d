import { createParser } from '../_core/create-parser.ts';
import {
  compactJson,
  joinBlocks,
  renderParameters,
  renderReasoning,
} from '../_core/render/render.ts';
import { keyValueBlock } from '../_core/text-calls/key-value-call.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

const section = ['<tool_calls>', '</tool_calls>'] as const;
const call = ['<tool_call>', '</tool_call>'] as const;
const nameEnd = '<tool_sep>';
const thinking = ['<think>', '</think>'] as const;

const block = keyValueBlock({
  section,
  open: call[0],
  close: call[1],
  nameEnd,
  key: ['<arg_key>', '</arg_key>'],
  value: ['<arg_value>', '</arg_value>'],
});

/** Hunyuan V3: a section of calls, each a name and pairs of key and value tags. */
export const hyV3Parser: ToolCallParser = createParser({
  name: 'hy_v3',
  reasoning: [thinking],
  blocks: { [section[0]]: block, [call[0]]: block },
  closers: [section[1], call[1]],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall).join('');
  const blocks = calls === '' ? [] : [`${section[0]}\n${calls}${section[1]}`];
  return renderReasoning(message, thinking, '') + joinBlocks(message.content, blocks);
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  const write = (key: string, value: string): string =>
    `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`;
  return `${call[0]}${name}${nameEnd}${renderParameters(text, write, /<\/(?:arg_value|tool_call)>/)}${call[1]}\n`;
}
