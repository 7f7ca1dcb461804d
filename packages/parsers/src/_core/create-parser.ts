import type {
  ParseOptions,
  ParseResult,
  ParserEvent,
  ParserStream,
  RenderableMessage,
  RenderOptions,
  ToolCallParser,
} from '../types.ts';
import { type CompiledFormat, compileFormat, type Format } from './format.ts';
import { Machine } from './machine.ts';
import { readOptions, requireType } from './options.ts';
import { differenceOf } from './render.ts';
import { RenderError } from './render-error.ts';

/** Makes the public parser of a format. `parse` is a stream of one chunk. */
export function createParser(format: Format): ToolCallParser {
  const compiled: Record<string, CompiledFormat> = {};
  const openers = Object.keys({ ...format.blocks, ...format.candidates });
  const open = (options?: ParseOptions): Machine => {
    const read = readOptions(options);
    const key = String(read.reasoning);
    compiled[key] ??= compileFormat(format, read.reasoning);
    return format.machine?.(compiled[key], read) ?? new Machine(compiled[key], read);
  };
  const parse = (text: string, options?: ParseOptions): ParseResult => {
    requireType(text, 'string', 'parse');
    const machine = open(options);
    machine.push(text);
    return machine.finish().result;
  };
  return {
    name: format.name,
    aliases: format.aliases ?? [],
    parse,
    stream: (options?: ParseOptions): ParserStream => createStream(() => open(options)),
    mayHoldCall(text: string): boolean {
      requireType(text, 'string', 'mayHoldCall');
      return openers.some((opener) => text.includes(opener));
    },
    render(message: RenderableMessage, options: RenderOptions = {}): string {
      const text = format.render(message, options);
      const difference = differenceOf(message, parse(text, options));
      if (difference) throw new RenderError(format.name, difference);
      return text;
    },
  };
}

function createStream(open: () => Machine): ParserStream {
  let machine = open();
  let finished: ReturnType<Machine['finish']> | null = null;
  return {
    push(chunk: string): readonly ParserEvent[] {
      requireType(chunk, 'string', 'push');
      if (finished !== null) throw new Error('push after finish; reset() begins anew');
      return machine.push(chunk);
    },
    finish() {
      finished ??= machine.finish();
      return finished;
    },
    reset() {
      machine = open();
      finished = null;
    },
  };
}
