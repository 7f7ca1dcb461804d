import type { DetectionSource, ToolCallParser } from '@hermes/parsers';
import { HermesError } from '@hermes/protocol';
import { unknownName } from './unknown-name.ts';

/** The flags that name a format and what it reads its types from. */
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

/** The format that `--format` names or that the model of `--model` speaks; null: only the text can tell. */
export async function chooseFormat({ format, model }: FormatFlags): Promise<ChosenFormat | null> {
  if (format === undefined) return model === undefined ? null : detected({ modelId: model });
  const { getParser, listParsers } = await import('@hermes/parsers');
  const known = listParsers();
  if (known.includes(format)) return { parser: getParser(format), reason: null };
  throw new HermesError('config', 'CONFIG', unknownName('format', format, known));
}

/** The format whose markers a text holds. */
export function formatOfText(text: string): Promise<ChosenFormat> {
  return detected({ text });
}

async function detected(source: DetectionSource): Promise<ChosenFormat> {
  const { detect, FormatNotDetectedError, getParser } = await import('@hermes/parsers');
  try {
    const { format, reason } = detect(source);
    return { parser: getParser(format), reason };
  } catch (cause) {
    if (!FormatNotDetectedError.isInstance(cause)) throw cause;
    const message = `${cause.message}, with --format`;
    throw new HermesError('config', 'CONFIG', message, { cause });
  }
}
