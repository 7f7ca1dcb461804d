import { createParser } from '../_core/create-parser.ts';
import {
  compactJson,
  joinBlocks,
  renderParameters,
  renderReasoning,
} from '../_core/render/render.ts';
import { taggedCallBlocks } from '../_core/text-calls/tagged-call.ts';
import type { RenderableMessage, RenderOptions, ToolCall, ToolCallParser } from '../types.ts';

/** Qwen3-Coder, Qwen 3.5 and 3.6, Nemotron 3, MiMo, Step 3.5: functions and parameters as tags. */
export const qwen3CoderParser: ToolCallParser = createParser({
  name: 'qwen3_coder',
  aliases: ['qwen3_code'],
  reasoning: [['<think>', '</think>']],
  endOfTurn: ['<|im_end|>', '<|endoftext|>'],
  blocks: taggedCallBlocks({
    block: { opens: ['<tool_call>'], closes: ['</tool_call>'] },
    withoutBlock: 'fine',
    call: { open: '<function=', end: '>', close: '</function>' },
    parameter: { open: '<parameter=', end: '>', close: '</parameter>' },
    trimsLines: true,
  }),
  closers: ['</tool_call>'],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage, _options: RenderOptions): string {
  const calls = message.toolCalls.map(renderCall);
  return renderReasoning(message, ['<think>', '</think>']) + joinBlocks(message.content, calls);
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  const parameters = renderParameters(
    text,
    (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`,
    /<\/(?:parameter|function)>/,
  );
  return `<tool_call>\n<function=${name}>\n${parameters}</function>\n</tool_call>`;
}
