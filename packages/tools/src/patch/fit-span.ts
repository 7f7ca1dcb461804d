import type { Span } from './edit-types.ts';
import { lineStart } from './line-start.ts';

const WORD = /[\p{L}\p{N}_]/u;

/** A loose match must not begin or end inside a word: `id` is no part of `width`. */
export function isOfWholeWords(text: string): (span: Span) => boolean {
  const isInWord = (offset: number): boolean =>
    offset > 0 && WORD.test(text.charAt(offset - 1)) && WORD.test(text.charAt(offset));
  return ({ start, end }) => !isInWord(start) && !isInWord(end);
}

/** From the beginning of the line, where nothing but blanks stands there. */
export function withIndentation(text: string, { start, end }: Span): Span {
  const first = lineStart(text, start);
  const isOnlyIndented = /^[ \t]*$/.test(text.slice(first, start));
  return { start: isOnlyIndented ? first : start, end };
}

/** To the end of the line, where nothing but blanks stands there. */
export function withTrailingBlanks(text: string, { start, end }: Span): Span {
  let after = end;
  while (text[after] === ' ' || text[after] === '\t') after += 1;
  const isEndOfLine = after === text.length || text[after] === '\n';
  return { start, end: isEndOfLine ? after : end };
}

/** With the newline behind it, where the span is whole lines. */
export function withNewline(text: string, { start, end }: Span): Span {
  const isWhole = lineStart(text, start) === start && text[end] === '\n';
  return { start, end: isWhole ? end + 1 : end };
}
