import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import { renderEnvelope } from '../_core/render/render.ts';
import type { ToolCallParser } from '../types.ts';

const open = '<|action_start|>';
const plugin = '<|plugin|>';
const close = '<|action_end|>';

/** InternLM 2 and 3: an object between action tokens. */
export const internlmParser: ToolCallParser = markedJsonParser({
  name: 'internlm',
  aliases: ['internlm2', 'internlm3'],
  endOfTurn: ['<|im_end|>'],
  opens: [open],
  secondMarker: plugin,
  close,
  strays: [plugin],
  writeCall: (call) => renderEnvelope(call, 'parameters'),
  writeBlocks: (calls) => calls.map((call) => `${open}${plugin}\n${call}${close}`),
});
