import { ConvertError } from './convert-error.ts';
import { getParser } from './registry.ts';
import type { ParseOptions, ToolCallParser } from './types.ts';

/**
 * The same message in the markup of another format. Throws `ConvertError` when a call of the text
 * is broken or cut off, and `RenderError` when the other format cannot carry the message.
 */
export function convert(
  text: string,
  from: string | ToolCallParser,
  to: string | ToolCallParser,
  options: ParseOptions = {},
): string {
  const target = parserOf(to);
  const message = parserOf(from).parse(text, options);
  const dropped = message.diagnostics.filter(({ level }) => level === 'error');
  if (dropped.length > 0) throw new ConvertError(dropped);
  return target.render(message, options.tools === undefined ? {} : { tools: options.tools });
}

function parserOf(format: string | ToolCallParser): ToolCallParser {
  return typeof format === 'string' ? getParser(format) : format;
}
