import { createParser } from '../_core/create-parser.ts';
import { bareCallArray, callArray } from '../_core/json-calls/call-array.ts';
import { jsonBlock } from '../_core/json-calls/json-block.ts';
import { joinBlocks, renderEnvelope, renderReasoning } from '../_core/render/render.ts';
import type { RenderableMessage, ToolCallParser } from '../types.ts';

const open = '<tool_call>';
const close = '</tool_call>';
const mistral = '[TOOL_CALLS]';
const thinking = ['<think>', '</think>'] as const;

/** xLAM: a JSON array of calls as the whole answer, in a code fence or behind a marker. */
export const xlamParser: ToolCallParser = createParser({
  name: 'xlam',
  reasoning: [thinking],
  endOfTurn: ['<|im_end|>', '<|endoftext|>', '<|eot_id|>'],
  blocks: {
    [open]: jsonBlock({ closers: [close], openers: [open] }),
    [mistral]: jsonBlock({ closers: [], openers: [mistral] }),
  },
  candidates: {
    '[': (machine, start, marker) =>
      machine.isAtContentStart ? bareCallArray(machine, start, marker) : null,
    '```json': callArray(['```']),
  },
  closers: [close],
  render,
});

/** Text before a bare array would make it text: then the array stands between tags. */
function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map((call) => renderEnvelope(call)).join(', ');
  const list = message.content === null ? `[${calls}]` : `${open}[${calls}]${close}`;
  return (
    renderReasoning(message, thinking) + joinBlocks(message.content, calls === '' ? [] : [list])
  );
}
