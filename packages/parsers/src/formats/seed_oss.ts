import { createParser } from '../_core/create-parser.ts';
import {
  compactJson,
  joinBlocks,
  renderParameters,
  renderReasoning,
} from '../_core/render/render.ts';
import { taggedCallBlocks } from '../_core/text-calls/tagged-call.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

const block = ['<seed:tool_call>', '</seed:tool_call>'] as const;
const thinking = ['<seed:think>', '</seed:think>'] as const;

/** Seed-OSS: functions and parameters as tags. */
export const seedOssParser: ToolCallParser = createParser({
  name: 'seed_oss',
  reasoning: [thinking],
  endOfTurn: ['<seed:eos>'],
  blocks: taggedCallBlocks({
    block: { opens: [block[0]], closes: [block[1]] },
    withoutBlock: 'fine',
    call: { open: '<function=', end: '>', close: '</function>' },
    parameter: { open: '<parameter=', end: '>', close: '</parameter>' },
    trimsLines: true,
  }),
  closers: [block[1]],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall);
  return renderReasoning(message, thinking, '') + joinBlocks(message.content, calls);
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  const parameters = renderParameters(
    text,
    (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`,
    /<\/(?:parameter|function)>/,
  );
  return `${block[0]}\n<function=${name}>\n${parameters}</function>\n${block[1]}`;
}
