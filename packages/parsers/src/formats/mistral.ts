import { createParser } from '../_core/create-parser.ts';
import { nativeIds } from '../_core/extensions/native-ids.ts';
import { randomNineCharacterId } from '../_core/extensions/nine-character-id.ts';
import { usualKeys } from '../_core/json-calls/envelope.ts';
import { identifiedEnvelope } from '../_core/json-calls/identified-envelope.ts';
import { namedJsonBlock } from '../_core/json-calls/named-json.ts';
import { joinBlocks, renderReasoning } from '../_core/render/render.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

const marker = '[TOOL_CALLS]';
const thinking = ['[THINK]', '[/THINK]'] as const;

/** Mistral, Ministral, Magistral, Devstral: an array of calls, or `NAME[ARGS]{...}` per marker. */
export const mistralParser: ToolCallParser = createParser({
  name: 'mistral',
  reasoning: [thinking],
  endOfTurn: ['</s>'],
  blocks: {
    [marker]: namedJsonBlock({
      openers: [marker],
      closers: [],
      envelope: identifiedEnvelope({ ...usualKeys, id: 'id' }),
      argumentsMarker: '[ARGS]',
      idMarker: '[CALL_ID]',
    }),
  },
  closers: [],
  newId: randomNineCharacterId,
  readId,
  machine: nativeIds(),
  render,
});

function readId(id: string): string | null {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : null;
}

function render(message: RenderableMessage): string {
  const calls = message.toolCalls.map(renderCall);
  return renderReasoning(message, thinking, '') + joinBlocks(message.content, calls, '');
}

function renderCall({ id, function: { name, arguments: text } }: ToolCall): string {
  const idPart = readId(id) === null ? '' : `[CALL_ID]${id}`;
  return `${marker}${name}${idPart}[ARGS]${text}`;
}
