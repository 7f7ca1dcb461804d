import { createParser } from '../_core/create-parser.ts';
import { callRuns } from '../_core/json-calls/call-runs.ts';
import { joinBlocks, renderEnvelope } from '../_core/render/render.ts';
import type { RenderableMessage, ToolCallParser } from '../types.ts';

const tags = ['<|python_tag|>', '<|python_start|>'];
const closers = ['<|python_end|>'];
const endOfTurn = ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|eot|>', '<|eom|>'];

/** Llama 3.1 to 3.3, and Llama 4 with JSON: objects in plain text, with or without a tag. */
export const llama3JsonParser: ToolCallParser = createParser({
  name: 'llama3_json',
  aliases: ['llama4_json'],
  endOfTurn,
  cut: closers,
  ...callRuns({ tags, closers, endOfTurn }),
  closers: [],
  render,
});

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map((call) => renderEnvelope(call, 'parameters')).join('; ');
  return joinBlocks(message.content, calls === '' ? [] : [calls]);
}
