import { createParser } from '../_core/create-parser.ts';
import {
  compactJson,
  joinBlocks,
  renderParameters,
  renderReasoning,
} from '../_core/render/render.ts';
import { keyValueBlock } from '../_core/text-calls/key-value-call.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

const open = '<tool_call>';
const close = '</tool_call>';

/** GLM-4.5 to GLM-5: the name and pairs of key and value tags. */
export const glm45Parser: ToolCallParser = createParser({
  name: 'glm45',
  aliases: ['glm47'],
  reasoning: [['<think>', '</think>']],
  endOfTurn: ['<|user|>', '<|observation|>', '<|endoftext|>'],
  blocks: {
    [open]: keyValueBlock({
      open,
      close,
      key: ['<arg_key>', '</arg_key>'],
      value: ['<arg_value>', '</arg_value>'],
    }),
  },
  closers: [close],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall);
  return renderReasoning(message, ['<think>', '</think>'], '') + joinBlocks(message.content, calls);
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  const write = (key: string, value: string): string =>
    `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`;
  return `${open}${name}\n${renderParameters(text, write, /<\/(?:arg_value|tool_call)>/)}${close}`;
}
