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

const section = ['<｜tool_calls_begin｜>', '<｜tool_calls_end｜>'] as const;
const call = ['<｜tool_call_begin｜>', '<｜tool_call_end｜>'] as const;
const separator = '<｜tool_sep｜>';
const invoke = ['<steptml:invoke', '</steptml:invoke>'] as const;
const parameter = ['<steptml:parameter', '</steptml:parameter>'] as const;
const thinking = ['<think>', '</think>'] as const;

/** Step-3: special tokens around invocations and parameters as tags. */
export const step3Parser: ToolCallParser = createParser({
  name: 'step3',
  reasoning: [thinking],
  blocks: taggedCallBlocks({
    block: { opens: [section[0]], closes: [section[1]] },
    withoutBlock: 'missing_wrapper',
    wrapper: { open: call[0], close: call[1] },
    call: { open: invoke[0], end: '>', close: invoke[1] },
    parameter: { open: parameter[0], end: '>', close: parameter[1] },
    readHeader: namedHeader,
  }),
  closers: [section[1], call[1], separator, invoke[1], parameter[1]],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall).join('\n');
  const blocks = calls === '' ? [] : [section[0] + calls + section[1]];
  return renderReasoning(message, thinking) + joinBlocks(message.content, blocks, '');
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  const parameters = renderParameters(
    text,
    (key, value) => `${parameter[0]} name="${key}">${value}${parameter[1]}`,
    /steptml:/,
  );
  const invocation = `${invoke[0]} name="${name}">${parameters}${invoke[1]}`;
  return `${call[0]}function${separator}${invocation}${call[1]}`;
}
