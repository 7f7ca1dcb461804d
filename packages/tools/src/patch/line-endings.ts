import type { Splice } from './edit-types.ts';

/** A text with its line endings set aside: all edits are found and made where lines end in `\n` alone. */
export interface PlainLines {
  readonly text: string;
  /** Is there a `\r\n` in the original? */
  readonly hasCrlf: boolean;
  /** The original with the splices made; inserted lines end as the lines around them do. */
  withSplices(splices: readonly Splice[]): string;
}

/** Sets the line endings of a text aside. */
export function plainLines(original: string): PlainLines {
  if (!original.includes('\r\n')) {
    return {
      text: original,
      hasCrlf: false,
      withSplices: (splices) => spliced(original, splices),
    };
  }
  const text = withoutCrlf(original);
  const crlf = crlfOffsets(original);
  const toOriginal = (offset: number): number => offset + countBelow(crlf, offset);
  return {
    text,
    hasCrlf: true,
    withSplices(splices) {
      const moved = splices.map(({ start, end, text: inserted }) => ({
        start: toOriginal(start),
        end: toOriginal(end),
        text: isCrlfAt(text, crlf, start) ? inserted.replaceAll('\n', '\r\n') : inserted,
      }));
      return spliced(original, moved);
    },
  };
}

export function withoutCrlf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The text with pieces replaced. They are in order and do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text: inserted } of splices) {
    pieces.push(text.slice(from, start), inserted);
    from = end;
  }
  return pieces.concat(text.slice(from)).join('');
}

/** Where in the plain text the newlines stand that were `\r\n`. */
function crlfOffsets(original: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2)) {
    offsets.push(at - offsets.length);
  }
  return offsets;
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Does the line at this place end in `\r\n`? The last line, without an end, goes by the one before. */
function isCrlfAt(text: string, crlf: readonly number[], offset: number): boolean {
  const next = text.indexOf('\n', offset);
  const newline = next === -1 ? text.lastIndexOf('\n') : next;
  return crlf[countBelow(crlf, newline)] === newline;
}
