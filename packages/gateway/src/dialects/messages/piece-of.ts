import type { ChatDelta } from '@hermes/protocol';

/** A delta as a part of a block of their stream: which block, how that opens, and what it adds. */
export type Piece = Readonly<{ block: string; opens: object; adds: object | null }>;

/** Blocks of calls have names that begin with `call`. */
export function pieceOf(delta: ChatDelta): Piece {
  switch (delta.type) {
    case 'content_delta': {
      const adds = { type: 'text_delta', text: delta.text };
      return { block: 'text', opens: { type: 'text', text: '' }, adds };
    }
    case 'reasoning_delta': {
      const adds = { type: 'thinking_delta', thinking: delta.text };
      return { block: 'thinking', opens: { type: 'thinking', thinking: '', signature: '' }, adds };
    }
    case 'tool_call_start': {
      const { id, index, name } = delta;
      const opens = { type: 'tool_use', id, name, input: {} };
      return { block: `call ${index}`, opens, adds: null };
    }
    case 'tool_call_delta': {
      const adds = { type: 'input_json_delta', partial_json: delta.arguments };
      return { block: `call ${delta.index}`, opens: {}, adds };
    }
  }
}
