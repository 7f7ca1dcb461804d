import { createParser } from '../_core/create-parser.ts';
import { decodeString } from '../_core/json/json-text.ts';
import { braceCallBlock } from '../_core/python-calls/brace-call.ts';
import { compactJson, joinBlocks } from '../_core/render/render.ts';
import { renderBraceCall } from '../_core/render/render-brace.ts';
import { coerce } from '../_core/text-calls/coerce.ts';
import { parametersOf, typesOf } from '../_core/text-calls/schema.ts';
import type { RenderableMessage, RenderOptions, ToolCall, ToolCallParser } from '../types.ts';

const open = '<start_function_call>';
const close = '<end_function_call>';
const quote = '<escape>';

/** FunctionGemma: `call:NAME{key:value}`, where quoted values are text of the declared type. */
export const functiongemmaParser: ToolCallParser = createParser({
  name: 'functiongemma',
  endOfTurn: ['<end_of_turn>', '<eos>'],
  blocks: { [open]: braceCallBlock({ open, close, quote, isTyped: true }) },
  closers: [close],
  spell: compactJson,
  render,
});

function render(message: RenderableMessage, { tools }: RenderOptions): string {
  const calls = message.toolCalls.map((call) => open + renderCall(call, tools) + close);
  return joinBlocks(message.content, calls, '');
}

/** A string stands in quotes if it is read as the same string there, else as JSON. */
function renderCall(call: ToolCall, tools: RenderOptions['tools']): string {
  return renderBraceCall(call, quote, (json, key) => {
    if (!json.startsWith('"')) return json;
    const text = decodeString(json);
    const read = coerce(text, typesOf(parametersOf(tools, call.function.name), key));
    const isSame = read.json === JSON.stringify(text) && !text.includes(quote);
    return isSame ? quote + text + quote : json;
  });
}
