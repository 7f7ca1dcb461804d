import { answerTags } from '../_core/extensions/answer-tags.ts';
import { bareEnvelope } from '../_core/json-calls/bare-envelope.ts';
import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

const open = '<tool_call>';
const close = '</tool_call>';

/** ERNIE 4.5: JSON between `<tool_call>` tags; the answer may stand in `<response>`. */
export const ernie45Parser: ToolCallParser = markedJsonParser({
  name: 'ernie45',
  reasoning: [['<think>', '</think>']],
  // some servers write the token of a line feed out
  machine: answerTags('<response>', '</response>', { '<0x0A>': '\n' }),
  cut: ['<response>', '</response>'],
  endOfTurn: ['</s>', '<0x0A>'],
  opens: [open],
  close,
  candidates: { '{': bareEnvelope(close) },
  writeBlocks: (calls) => calls.map((call) => `${open}\n${call}\n${close}\n`),
});
