import type { Span } from './edit-types.ts';
import { wellFormed } from './file-text.ts';

/** A text that is searched in several ways; its lines are made when they are first asked for. */
export interface Haystack {
  readonly text: string;
  lines(): TextLines;
}

/** A text as lines: where each begins, and what it is, as a model sees it, without the blanks around it. */
export type TextLines = Readonly<{
  text: string;
  lines: readonly string[];
  trimmed: readonly string[];
  starts: readonly number[];
}>;

export function createHaystack(text: string): Haystack {
  let lines: TextLines | null = null;
  return {
    text,
    lines() {
      lines ??= toLines(text);
      return lines;
    },
  };
}

function toLines(text: string): TextLines {
  const { lines } = linesOf(text);
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  return { text, lines, trimmed: lines.map((line) => wellFormed(line.trim())), starts };
}

/** The part of a text that `count` lines from `first` (0-based) are, with the last newline where wanted and there. */
export function spanOfLines(
  { text, lines, starts }: TextLines,
  first: number,
  count: number,
  withNewline: boolean,
): Span {
  const last = first + count - 1;
  const end = (starts[last] ?? 0) + (lines[last] ?? '').length;
  return { start: starts[first] ?? 0, end: withNewline && end < text.length ? end + 1 : end };
}

/** The lines of a text; a newline at its end belongs to its last line. */
export function linesOf(text: string): Readonly<{ lines: readonly string[]; ended: boolean }> {
  const ended = text.endsWith('\n');
  return { lines: (ended ? text.slice(0, -1) : text).split('\n'), ended };
}
