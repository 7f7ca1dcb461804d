import type { RunOptions } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import { unknownName } from './unknown-name.ts';

/** Reads tool calls out of the text of a message; null = the text has no marker of the format. */
export type ParseFallback = NonNullable<RunOptions<unknown>['parseFallback']>;

/** One format that `--parser` can name. */
export interface ParserEntry {
  readonly name: string;
  readonly description: string;
  load(): Promise<ParseFallback>;
}

/**
 * The parser that the configuration names (`tool_call_parser`), for servers that leave tool calls in the text. Where no parser is there at all,
 * a file that names one is accepted with a note: files are shared with programs that have them. isAsked: it was named by its flag.
 */
export async function chooseParser(
  name: string | null,
  isAsked: boolean,
  { parsers, stderr }: CliContext,
): Promise<Pick<RunOptions<unknown>, 'parseFallback' | 'parser'>> {
  if (name === null) return {};
  if (parsers.length === 0 && !isAsked) {
    stderr.write('note: env.tool_call_parser has no effect here: no parser is there\n');
    return {};
  }
  const entry = parsers.find((candidate) => candidate.name === name);
  if (entry !== undefined) return { parser: name, parseFallback: await entry.load() };
  const known = parsers.map((candidate) => candidate.name);
  throw new HermesError('config', 'CONFIG', unknownName('parser', name, known));
}
