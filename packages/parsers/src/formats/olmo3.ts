import { createParser } from '../_core/create-parser.ts';
import { firstContent } from '../_core/extensions/first-content.ts';
import { bareCallLines } from '../_core/python-calls/call-lines.ts';
import { pythonListBlock } from '../_core/python-calls/python-list.ts';
import { compactJson, joinBlocks, renderReasoning } from '../_core/render/render.ts';
import { renderPythonCall } from '../_core/render/render-python.ts';
import type { RenderableMessage, ToolCallParser } from '../types.ts';

const open = '<function_calls>';
const close = '</function_calls>';
const thinking = ['<think>', '</think>'] as const;

/** Olmo 3: one Python call per line between tags; without tags only calls of given tools. */
export const olmo3Parser: ToolCallParser = createParser({
  name: 'olmo3',
  reasoning: [thinking],
  endOfTurn: ['<|im_end|>', '<|endoftext|>'],
  blocks: { [open]: pythonListBlock({ closers: [close], openers: [open], isLines: true }) },
  machine: firstContent(bareCallLines(close)),
  signs: ['('],
  closers: [close],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderPythonCall).join('\n');
  const block = calls === '' ? [] : [`${open}\n${calls}\n${close}`];
  return renderReasoning(message, thinking, '') + joinBlocks(message.content, block);
}
