import type { ToolCall, ToolCallParser } from '../../types.ts';
import { createParser } from '../create-parser.ts';
import type { Format } from '../format.ts';
import { requireType } from '../options.ts';
import { joinBlocks, renderEnvelope, renderReasoning } from '../render/render.ts';
import { type CallKeys, EnvelopeReader } from './envelope.ts';
import { type JsonBlockGrammar, jsonBlock } from './json-block.ts';
import { withSecondMarker } from './second-marker.ts';

/** A format whose calls are JSON behind a marker; the rest of it is as in `Format`. */
export interface MarkedJson extends Omit<Format, 'closers' | 'render'> {
  /** Reads one object. @internal */
  readonly envelope?: JsonBlockGrammar['envelope'];
  /** Keys of the name and of the arguments. Default `name`, and `arguments` or `parameters`. */
  readonly keys?: CallKeys;
  /** A second marker that must follow the opening one, after white space. */
  readonly secondMarker?: string;
  readonly opens: readonly string[];
  /** The closing marker. Default none: a block ends with its JSON. */
  readonly close?: string;
  /** Markers that are stray outside a block, beside `close`. */
  readonly strays?: readonly string[];
  /** One call as JSON. Default `{"name": ..., "arguments": ...}`. */
  readonly writeCall?: (call: ToolCall, index: number) => string;
  /** The blocks of calls that are written already. */
  readonly writeBlocks: (calls: readonly string[]) => readonly string[];
}

/** The parser of such a format. */
export function markedJsonParser(format: MarkedJson): ToolCallParser {
  const { opens, close, keys, secondMarker, writeCall = (call) => renderEnvelope(call) } = format;
  requireType(opens, [], 'opens of the format');
  const envelope = format.envelope ?? (keys && ((machine) => new EnvelopeReader(machine, keys)));
  const closers = close === undefined ? [] : [close];
  const json = jsonBlock({ openers: opens, closers, ...(envelope && { envelope }) });
  const block = secondMarker === undefined ? json : withSecondMarker(secondMarker, json);
  const [thinking] = format.reasoning ?? [];
  return createParser({
    ...format,
    blocks: { ...Object.fromEntries(opens.map((open) => [open, block])), ...format.blocks },
    closers: [...closers, ...(format.strays ?? [])],
    render(message) {
      const calls = message.toolCalls.map(writeCall);
      const reasoning = thinking ? renderReasoning(message, thinking) : '';
      return (
        reasoning + joinBlocks(message.content, calls.length > 0 ? format.writeBlocks(calls) : [])
      );
    },
  });
}
