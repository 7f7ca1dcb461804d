import type { Span } from './edit-types.ts';
import { findText } from './find-sequence.ts';
import { plainPunctuation } from './punctuation.ts';

/** A simpler way to write a text, and the way back to where each character came from. */
export type Simplification = Readonly<{
  write: (original: string) => string;
  /** Where the original of each character begins. */
  startsOf: (original: string, simple: string) => Uint32Array;
  /** Where the original of a character ends that begins at `start`. */
  endOf: (original: string, start: number) => number;
}>;

/** The places of a text that read like `wanted` when both are written in the simpler way. */
export function findMapped(
  original: string,
  wanted: string,
  { write, startsOf, endOf }: Simplification,
): readonly Span[] {
  const simple = write(original);
  const found = findText(simple, write(wanted));
  if (found.length === 0) return [];
  const starts = startsOf(original, simple);
  const isInside = (index: number): boolean =>
    index > 0 && index < simple.length && starts[index] === starts[index - 1];
  return found
    .filter(({ start, end }) => !isInside(start) && !isInside(end))
    .map(({ start, end }) => ({
      start: starts[start] ?? 0,
      end: endOf(original, starts[end - 1] ?? 0),
    }));
}

/** Every run of blanks as one. */
export const BLANKS_COLLAPSED: Simplification = {
  write: (original) => original.replace(/[ \t]+/g, ' '),
  startsOf(original, simple) {
    const starts = new Uint32Array(simple.length);
    let from = 0;
    for (let index = 0; index < simple.length; index += 1) {
      starts[index] = from;
      from = afterBlanks(original, from);
    }
    return starts;
  },
  endOf: afterBlanks,
};

/** After a run of blanks, or after one other character. */
function afterBlanks(text: string, start: number): number {
  let end = start + 1;
  if (isBlank(text, start)) while (isBlank(text, end)) end += 1;
  return end;
}

/** Lines without their indentation. */
export const LINES_DEDENTED: Simplification = {
  write: (original) => original.replace(/(^|\n)[ \t]+/g, '$1'),
  startsOf(original, simple) {
    const starts = new Uint32Array(simple.length);
    let from = 0;
    for (let index = 0; index < simple.length; index += 1) {
      const startsLine = index === 0 || simple[index - 1] === '\n';
      if (startsLine) while (isBlank(original, from)) from += 1;
      starts[index] = from;
      from += 1;
    }
    return starts;
  },
  endOf: (_original, start) => start + 1,
};

/** Quotes, dashes, ellipses and special blanks as a keyboard has them. */
export const PLAIN_PUNCTUATION: Simplification = {
  write: plainPunctuation,
  startsOf(original, simple) {
    const starts = new Uint32Array(simple.length);
    let index = 0;
    for (let from = 0; from < original.length; from += 1) {
      const isAscii = original.charCodeAt(from) < 0x80;
      const length = isAscii ? 1 : plainPunctuation(original.charAt(from)).length;
      starts.fill(from, index, index + length);
      index += length;
    }
    return starts;
  },
  endOf: (_original, start) => start + 1,
};

function isBlank(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || code === 0x09;
}
