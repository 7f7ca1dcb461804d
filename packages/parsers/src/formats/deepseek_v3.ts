import { createParser } from '../_core/create-parser.ts';
import { tokenSectionBlocks } from '../_core/json-calls/token-section.ts';
import { joinBlocks, renderReasoning } from '../_core/render/render.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

const section = ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'] as const;
const call = ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'] as const;
const separator = '<｜tool▁sep｜>';

/** DeepSeek V3-0324 and R1-0528: the name after the separator, JSON in a code fence. */
export const deepseekV3Parser: ToolCallParser = createParser({
  name: 'deepseek_v3',
  reasoning: [['<think>', '</think>']],
  endOfTurn: ['<｜end▁of▁sentence｜>'],
  blocks: tokenSectionBlocks({
    sectionBegins: [section[0]],
    sectionEnds: [section[1]],
    callBegin: call[0],
    separator,
    callEnd: call[1],
    body: 'fenced',
  }),
  closers: [section[1], call[1], separator],
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall).join('\n');
  const block = calls === '' ? [] : [section[0] + calls + section[1]];
  return renderReasoning(message, ['<think>', '</think>']) + joinBlocks(message.content, block, '');
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  return `${call[0]}function${separator}${name}\n\`\`\`json\n${text}\n\`\`\`${call[1]}`;
}
