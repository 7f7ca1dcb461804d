import { createParser, type ToolCallParser } from '@hermes/parsers';
import type { ChatRequest } from '@hermes/protocol';

/** The parsers of one model: for answers that may hold calls, and for those that are only text. */
export type AnswerParsers = Readonly<{ withCalls: ToolCallParser; withoutCalls: ToolCallParser }>;

/**
 * Without tools, or with `toolChoice: 'none'`, the markup of a call is text like any other. Formats
 * that write all of an answer in markup keep their own parser; its calls are left out.
 */
export function answerParsers(
  parser: ToolCallParser,
  tags: readonly [open: string, close: string] | null,
): AnswerParsers {
  return { withCalls: parser, withoutCalls: isPlain(parser) ? textParser(tags) : parser };
}

/** Whether the calls in the answer to a request count. */
export function mayCall({ tools = [], toolChoice }: ChatRequest): boolean {
  return tools.length > 0 && toolChoice !== 'none';
}

function isPlain(parser: ToolCallParser): boolean {
  try {
    return parser.render({ content: 'C', reasoning: null, toolCalls: [] }) === 'C';
  } catch {
    // A format that cannot carry a plain word is no plain one.
    return false;
  }
}

function textParser(tags: readonly [open: string, close: string] | null): ToolCallParser {
  return createParser({
    name: 'text',
    reasoning: tags === null ? [] : [tags],
    closers: [],
    render: ({ content, reasoning }) =>
      reasoning === null || tags === null
        ? (content ?? '')
        : `${tags[0]}\n${reasoning}\n${tags[1]}\n\n${content ?? ''}`,
  });
}
