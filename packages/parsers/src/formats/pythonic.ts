import { createParser } from '../_core/create-parser.ts';
import { barePythonList, pythonListBlock } from '../_core/python-calls/python-list.ts';
import { compactJson, joinBlocks } from '../_core/render/render.ts';
import { renderPythonCall } from '../_core/render/render-python.ts';
import type { RenderableMessage, ToolCallParser } from '../types.ts';

const open = '<|python_start|>';
const close = '<|python_end|>';

/** Llama 4 and others: a list of Python calls at the start of a line. */
export const pythonicParser: ToolCallParser = createParser({
  name: 'pythonic',
  aliases: ['llama4_pythonic'],
  endOfTurn: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|eot|>', '<|eom|>'],
  blocks: { [open]: pythonListBlock({ closers: [close], openers: [open] }) },
  candidates: { '[': barePythonList({ closers: [] }) },
  closers: [close],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderPythonCall).join(', ');
  return joinBlocks(message.content, calls === '' ? [] : [`[${calls}]`]);
}
