import type { ToolCallParser } from '@hermes/parsers';
import { HermesError } from '@hermes/protocol';
import { unknownName } from './unknown-name.ts';

/** The flags that name a format. */
export interface FormatFlags {
  readonly format?: string;
  readonly model?: string;
  readonly tools?: string;
}

/** The parser of a command. reason: why this one, where it was not named. */
export interface ChosenFormat {
  readonly parser: ToolCallParser;
  readonly reason: string | null;
}

/** The format that `--format` names; null: only the text can tell. */
export async function chooseFormat(flags: FormatFlags): Promise<ChosenFormat | null> {
  if (flags.format === undefined) return null;
  return { parser: await parserOf(flags.format), reason: null };
}

/** The format whose markers a text holds. */
export async function formatOfText(_text: string): Promise<ChosenFormat> {
  throw new HermesError('config', 'CONFIG', '--format is needed');
}

async function parserOf(name: string): Promise<ToolCallParser> {
  const { getParser, listParsers } = await import('@hermes/parsers');
  const known = listParsers();
  if (known.includes(name)) return getParser(name);
  throw new HermesError('config', 'CONFIG', unknownName('format', name, known));
}
