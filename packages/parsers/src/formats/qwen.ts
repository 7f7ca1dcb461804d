import { bareEnvelope } from '../_core/json-calls/bare-envelope.ts';
import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

const open = '<tool_call>';
const close = '</tool_call>';

/** Qwen 2.5 and 3: JSON between `<tool_call>` tags, as in the hermes format. */
export const qwenParser: ToolCallParser = markedJsonParser({
  name: 'qwen',
  reasoning: [['<think>', '</think>']],
  endOfTurn: ['<|im_end|>', '<|endoftext|>'],
  opens: [open],
  close,
  candidates: { '{': bareEnvelope(close) },
  writeBlocks: (calls) => calls.map((call) => `${open}\n${call}\n${close}`),
});
