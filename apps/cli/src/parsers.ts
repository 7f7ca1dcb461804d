import type { RunOptions } from '@hermes/env-core';
import type { Diagnostic, ToolCallParser } from '@hermes/parsers';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import { unknownName } from './unknown-name.ts';

/** Reads tool calls out of the text of a message; null = the text has no marker of the format. */
export type ParseFallback = NonNullable<RunOptions<unknown>['parseFallback']>;

/** What a parser decides of the options of a run; empty: none was named. */
export type ChosenParser = Pick<RunOptions<unknown>, 'parseFallback' | 'parser'>;

/** Says a diagnostic in words: handed on, since the parsers are loaded only when they are needed. */
type Explain = (diagnostic: Diagnostic) => string;

/** One format that `--parser` can name. */
export interface ParserEntry {
  readonly name: string;
  readonly description: string;
  load(): Promise<ParseFallback>;
}

/**
 * The parser that the configuration names (`tool_call_parser`), for servers that leave tool calls in the text: one that the caller of `runCli`
 * brought, else a format of `@hermes/parsers`.
 */
export async function chooseParser(
  name: string | null,
  { parsers }: Pick<CliContext, 'parsers'>,
): Promise<ChosenParser> {
  if (name === null) return {};
  const entry = parsers.find((candidate) => candidate.name === name);
  if (entry !== undefined) return { parser: name, parseFallback: await entry.load() };
  const { explainDiagnostic, getParser, listParsers } = await import('@hermes/parsers');
  const known = [...parsers.map((candidate) => candidate.name), ...listParsers()];
  if (!known.includes(name))
    throw new HermesError('config', 'CONFIG', unknownName('parser', name, known));
  return { parser: name, parseFallback: fallbackOf(getParser(name), explainDiagnostic) };
}

/** What the text says without its markup takes the place of the text, also where nothing is left. */
function fallbackOf(parser: ToolCallParser, explain: Explain): ParseFallback {
  return (text, tools) => {
    if (!parser.mayHoldCall(text)) return null;
    const { content, reasoning, toolCalls, diagnostics } = parser.parse(text, { tools });
    return {
      content: content ?? '',
      reasoning,
      calls: toolCalls.map(({ id, function: call }) => ({ id, ...call })),
      notes: diagnostics.filter((one) => one.level === 'error').map((one) => noteOf(one, explain)),
    };
  };
}

function noteOf(diagnostic: Diagnostic, explain: Explain) {
  const { level, code, raw, name } = diagnostic;
  return {
    level,
    code,
    message: explain(diagnostic),
    ...(raw !== undefined && { raw }),
    ...(name !== undefined && { toolName: name }),
  };
}
