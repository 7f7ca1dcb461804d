import { createParser } from '../_core/create-parser.ts';
import { braceCallBlock } from '../_core/python-calls/brace-call.ts';
import { compactJson, joinBlocks, renderReasoning } from '../_core/render/render.ts';
import { renderBraceCall, renderBraceValue } from '../_core/render/render-brace.ts';
import type { RenderableMessage, ToolCallParser } from '../types.ts';

const open = '<|tool_call>';
const close = '<tool_call|>';
const quote = '<|"|>';
const thinking = ['<|channel>thought\n', '<channel|>'] as const;

/** Gemma 4: `call:NAME{key:value}` with bare keys and quotes of its own. */
export const gemma4Parser: ToolCallParser = createParser({
  name: 'gemma4',
  reasoning: [thinking],
  endOfTurn: ['<turn|>', '<eos>'],
  blocks: { [open]: braceCallBlock({ open, close, quote }) },
  closers: [close],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(
    (call) => open + renderBraceCall(call, quote, (json) => renderBraceValue(json, quote)) + close,
  );
  return renderReasoning(message, thinking, '') + joinBlocks(message.content, calls, '');
}
