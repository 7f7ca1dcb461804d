import type { ChatDelta, IdMaker, ToolCall } from '@hermes/protocol';
import { field, textOf } from './_json.ts';

/** Puts tool calls together from their deltas. */
export interface ToolCallCollector {
  /** Takes an entry of `tool_calls`, and tells what is new. */
  add(entry: unknown): readonly ChatDelta[];
  calls(): readonly ToolCall[];
  /** How many calls came without an id and were given one. */
  idsMade(): number;
}

type Call = { index: number | null; id: string; hasOwnId: boolean; name: string; text: string };
type Piece = Readonly<{
  index: number | null;
  id: string | null;
  name: string | null;
  text: string;
}>;

/** A collector for one answer. Ids that repeat and arguments that are no JSON are passed on as they came. */
export function collectToolCalls(newId: IdMaker): ToolCallCollector {
  const calls: Call[] = [];
  const begin = (piece: Piece): Call => {
    const { index, id } = piece;
    const call = { index, id: id ?? newId('call'), hasOwnId: id !== null, name: '', text: '' };
    calls.push(call);
    return call;
  };
  return {
    calls: () => calls.map(toolCallOf),
    idsMade: () => calls.filter((call) => !call.hasOwnId).length,
    add(entry) {
      const piece = readPiece(entry);
      const known = findCall(calls, piece);
      const call = known ?? begin(piece);
      extend(call, piece);
      const position = calls.indexOf(call);
      return [
        ...(known ? [] : [startOf(position, call)]),
        ...(piece.text === '' ? [] : [deltaOf(position, piece.text)]),
      ];
    },
  };
}

/** The call that a piece goes on with; undefined = it begins a new one. */
function findCall(calls: readonly Call[], piece: Piece): Call | undefined {
  if (piece.index === null) return findWithoutIndex(calls, piece);
  const call = calls.findLast(({ index }) => index === piece.index);
  // Some servers give every parallel call the index 0: a name under another id is a call of its own.
  const isOther =
    call?.hasOwnId && piece.id !== null && piece.id !== call.id && piece.name !== null;
  return isOther ? undefined : call;
}

function findWithoutIndex(calls: readonly Call[], piece: Piece): Call | undefined {
  if (piece.id !== null) return calls.findLast(({ id }) => id === piece.id);
  return piece.name === null ? calls.at(-1) : undefined;
}

/** A name comes whole or in pieces; servers that repeat it with every piece mean it once. */
function extend(call: Call, piece: Piece): void {
  if (piece.id !== null && !call.hasOwnId) Object.assign(call, { id: piece.id, hasOwnId: true });
  if (piece.name !== null && piece.name !== call.name) call.name += piece.name;
  call.text += piece.text;
}

function readPiece(entry: unknown): Piece {
  const index = field(entry, 'index');
  const called = field(entry, 'function') ?? entry;
  return {
    index: typeof index === 'number' ? index : null,
    id: textOf(field(entry, 'id')),
    name: textOf(field(called, 'name')),
    text: argumentsText(field(called, 'arguments')),
  };
}

/** Servers that send arguments as an object have them written as the JSON they should have been. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function toolCallOf({ id, name, text }: Call): ToolCall {
  return { id, type: 'function', function: { name, arguments: text } };
}

function startOf(index: number, { id, name }: Call): ChatDelta {
  return { type: 'tool_call_start', index, id, name };
}

function deltaOf(index: number, text: string): ChatDelta {
  return { type: 'tool_call_delta', index, arguments: text };
}
