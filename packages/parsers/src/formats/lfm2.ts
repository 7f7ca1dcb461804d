import { createParser } from '../_core/create-parser.ts';
import { pythonListBlock } from '../_core/python-calls/python-list.ts';
import { compactJson, joinBlocks, renderReasoning } from '../_core/render/render.ts';
import { renderPythonCall } from '../_core/render/render-python.ts';
import type { RenderableMessage, ToolCallParser } from '../types.ts';

const open = '<|tool_call_start|>';
const close = '<|tool_call_end|>';
const thinking = ['<think>', '</think>'] as const;

/** LFM2: a list of Python calls, or a JSON array of calls, between markers. */
export const lfm2Parser: ToolCallParser = createParser({
  name: 'lfm2',
  reasoning: [thinking],
  endOfTurn: ['<|im_end|>'],
  blocks: { [open]: pythonListBlock({ closers: [close], openers: [open] }) },
  closers: [close],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderPythonCall).join(', ');
  const block = calls === '' ? [] : [`${open}[${calls}]${close}`];
  return renderReasoning(message, thinking, '') + joinBlocks(message.content, block, '');
}
