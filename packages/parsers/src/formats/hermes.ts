import { createParser } from '../_core/create-parser.ts';
import { bareEnvelope } from '../_core/json-calls/bare-envelope.ts';
import { jsonBlock } from '../_core/json-calls/json-block.ts';
import { renderTaggedJson } from '../_core/render/render.ts';
import type { ToolCallParser } from '../types.ts';

const open = '<tool_call>';
const close = '</tool_call>';

/** Hermes 2 Pro, 3, 4 and many others: JSON between `<tool_call>` tags. */
export const hermesParser: ToolCallParser = createParser({
  name: 'hermes',
  reasoning: [
    ['<think>', '</think>'],
    ['<scratch_pad>', '</scratch_pad>'],
  ],
  endOfTurn: ['<|im_end|>', '<|endoftext|>'],
  blocks: { [open]: jsonBlock({ closers: [close], openers: [open] }) },
  candidates: { '{': bareEnvelope(close) },
  closers: [close],
  render: (message) => renderTaggedJson(message, open, close),
});
