import { createParser } from '../_core/create-parser.ts';
import { nativeIds } from '../_core/extensions/native-ids.ts';
import { tokenSectionBlocks } from '../_core/json-calls/token-section.ts';
import { joinBlocks, renderReasoning } from '../_core/render/render.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

const section = ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'] as const;
const singular = ['<|tool_call_section_begin|>', '<|tool_call_section_end|>'] as const;
const call = ['<|tool_call_begin|>', '<|tool_call_end|>'] as const;
const separator = '<|tool_call_argument_begin|>';

/** Kimi K2, K2-Thinking, K2.5 and K2.6: the id names the call, `functions.NAME:INDEX`. */
export const kimiK2Parser: ToolCallParser = createParser({
  name: 'kimi_k2',
  reasoning: [
    ['<think>', '</think>'],
    ['◁think▷', '◁/think▷'],
  ],
  endOfTurn: ['<|im_end|>'],
  blocks: tokenSectionBlocks({
    sectionBegins: [section[0], singular[0]],
    sectionEnds: [section[1], singular[1]],
    callBegin: call[0],
    separator,
    callEnd: call[1],
    body: 'plain',
    readHead: (id) => ({ name: nameOf(id), id }),
  }),
  closers: [section[1], singular[1], call[1], separator],
  machine: nativeIds((name, largest) => `functions.${name}:${largest + 1}`),
  render,
});

function nameOf(id: string): string {
  return id.replace(/^functions\./, '').replace(/:\d+$/, '');
}

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall).join('');
  const block = calls === '' ? [] : [section[0] + calls + section[1]];
  return (
    renderReasoning(message, ['<think>', '</think>'], '') + joinBlocks(message.content, block, '')
  );
}

/** Templates expect the native form of an id; any other is replaced by one of that form. */
function renderCall(toolCall: ToolCall, index: number): string {
  const { name, arguments: text } = toolCall.function;
  const isNative = /:\d+$/.test(toolCall.id) && nameOf(toolCall.id) === name;
  return (
    call[0] + (isNative ? toolCall.id : `functions.${name}:${index}`) + separator + text + call[1]
  );
}
