import type { ParseOptions, ParseResult, ToolCallParser } from '../types.ts';
import { type CompiledFormat, compileFormat, type Format } from './format.ts';
import { Machine } from './machine.ts';
import { readOptions, requireType } from './options.ts';
import { differenceOf } from './render/render.ts';
import { RenderError } from './render/render-error.ts';

/** Makes the public parser of a format. `parse` is a stream whose first chunk is the last. */
export function createParser(format: Format): ToolCallParser {
  const { name, aliases = [], signs = [], spell = (json: string): string => json.trim() } = format;
  let compiled: CompiledFormat | undefined;
  const open = (options?: ParseOptions): Machine => {
    const read = readOptions(options, format.newId);
    compiled ??= compileFormat(format);
    return format.machine?.(compiled, read) ?? new Machine(compiled, read);
  };
  const parse = (text: string, options?: ParseOptions): ParseResult => {
    requireType(text, '', 'parse');
    const machine = open(options);
    machine.isHeard = false;
    return machine.finish(text).result;
  };
  return {
    name,
    aliases,
    parse,
    stream(options) {
      let machine = open(options);
      return {
        push(chunk) {
          requireType(chunk, '', 'push');
          if (machine.isLast) throw new Error('push after finish');
          return machine.push(chunk);
        },
        finish: () => machine.finish(),
        reset() {
          machine = open(options);
        },
      };
    },
    mayHoldCall(text) {
      requireType(text, '', 'mayHoldCall');
      const openers = Object.keys({ ...format.blocks, ...format.candidates });
      return openers.concat(signs).some((sign) => text.includes(sign));
    },
    render(message, options = {}) {
      requireType(message?.toolCalls, [], 'toolCalls');
      const text = format.render(message, options);
      const difference = differenceOf(message, parse(text, options), spell);
      if (difference) throw new RenderError(name, difference);
      return text;
    },
  };
}
