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
import { differenceOf } from './render.ts';
import { RenderError } from './render-error.ts';

const noOptions: ParseOptions = {};

/** Makes the public parser of a format. `parse` is a stream of one chunk. */
export function createParser(format: Format): ToolCallParser {
  const compiled = lazily(() => compileFormat(format, true));
  const withoutReasoning = lazily(() => compileFormat(format, false));
  const open = (options: ParseOptions): Machine =>
    new Machine(options.reasoning === false ? withoutReasoning() : compiled(), options);
  const parse = (text: string, options: ParseOptions): ParseResult => {
    const machine = open(options);
    machine.push(text);
    return machine.finish().result;
  };
  return {
    name: format.name,
    aliases: format.aliases ?? [],
    parse(text: string, options: ParseOptions = noOptions): ParseResult {
      requireString(text, 'parse');
      return parse(text, options);
    },
    stream: (options: ParseOptions = noOptions): ParserStream => createStream(() => open(options)),
    mayHoldCall(text: string): boolean {
      requireString(text, 'mayHoldCall');
      const blocks = compiled().callMarkers;
      return blocks.seek(text, 0, true) < text.length;
    },
    render(message: RenderableMessage, options: RenderOptions = noOptions): string {
      const text = format.render(message, options);
      const difference = differenceOf(message, parse(text, options));
      if (difference !== null) throw new RenderError(format.name, difference);
      return text;
    },
  };
}

function createStream(open: () => Machine): ParserStream {
  let machine = open();
  let finished: ReturnType<Machine['finish']> | null = null;
  return {
    push(chunk: string): readonly ParserEvent[] {
      requireString(chunk, 'push');
      if (finished !== null)
        throw new Error('push after finish: call reset() to read another answer');
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

function requireString(value: unknown, where: string): void {
  if (typeof value === 'string') return;
  const given = value === null ? 'null' : Array.isArray(value) ? 'an array' : `${typeof value}`;
  throw new TypeError(`${where} reads a string, but was given ${given}`);
}

function lazily(make: () => CompiledFormat): () => CompiledFormat {
  let made: CompiledFormat | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
