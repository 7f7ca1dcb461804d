import { bareEnvelope } from '../_core/json-calls/bare-envelope.ts';
import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

const open = '<tool_call>';
const close = '</tool_call>';

/** Granite 4: JSON between `<tool_call>` tags, as in the hermes format. */
export const granite4Parser: ToolCallParser = markedJsonParser({
  name: 'granite4',
  reasoning: [['<think>', '</think>']],
  endOfTurn: ['<|end_of_text|>'],
  opens: [open],
  close,
  candidates: { '{': bareEnvelope(close) },
  writeBlocks: (calls) => calls.map((call) => `${open}\n${call}\n${close}`),
});
