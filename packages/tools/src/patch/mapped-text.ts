import type { Span } from './edit-types.ts';
import { findText } from './find-sequence.ts';

/** A text written in a simpler way, with the way back to where each character came from. */
export type MappedText = Readonly<{
  text: string;
  /** Where the original of each character begins. */
  starts: Uint32Array;
  /** Where the original of a character ends. */
  endOf: (index: number) => number;
}>;

/** The places of the original that read `wanted` in the simpler form. */
export function findMapped({ text, starts, endOf }: MappedText, wanted: string): readonly Span[] {
  const isInside = (index: number): boolean =>
    index > 0 && index < text.length && starts[index] === starts[index - 1];
  return findText(text, wanted)
    .filter(({ start, end }) => !isInside(start) && !isInside(end))
    .map(({ start, end }) => ({ start: starts[start] ?? 0, end: endOf(end - 1) }));
}

/** Every run of blanks as one. */
export function collapseBlanks(original: string): MappedText {
  const text = collapsed(original);
  const starts = new Uint32Array(text.length);
  const afterBlanks = (from: number): number => {
    let end = from;
    while (isBlank(original.charCodeAt(end))) end += 1;
    return end;
  };
  const endOf = (index: number): number => {
    const start = starts[index] ?? 0;
    return text[index] === ' ' ? afterBlanks(start) : start + 1;
  };
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    starts[index] = from;
    from = endOf(index);
  }
  return { text, starts, endOf };
}

export function collapsed(text: string): string {
  return text.replace(/[ \t]+/g, ' ');
}

/** Lines without their indentation. */
export function dedentLines(original: string): MappedText {
  const text = dedented(original);
  const starts = new Uint32Array(text.length);
  let from = 0;
  let startsLine = true;
  for (let index = 0; index < text.length; index += 1) {
    if (startsLine) while (isBlank(original.charCodeAt(from))) from += 1;
    starts[index] = from;
    startsLine = text[index] === '\n';
    from += 1;
  }
  return { text, starts, endOf: (index) => (starts[index] ?? 0) + 1 };
}

export function dedented(text: string): string {
  return text.replace(/(^|\n)[ \t]+/g, '$1');
}

const PLAIN_PUNCTUATION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "'": '\u2018\u2019\u201a\u201b\u2032',
    '"': '\u201c\u201d\u201e\u201f\u2033',
    '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
    ' ': '\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000',
    '...': '\u2026',
  }).flatMap(([plain, fancy]) => [...fancy].map((character) => [character, plain])),
);
const FANCY = new RegExp(`[${[...PLAIN_PUNCTUATION.keys()].join('')}]`, 'g');

/** Quotes, dashes, ellipses and special blanks as a keyboard has them. */
export function plainPunctuation(text: string): string {
  return text.replace(FANCY, (character) => PLAIN_PUNCTUATION.get(character) ?? character);
}

export function mapPunctuation(original: string): MappedText {
  const text = plainPunctuation(original);
  const starts = new Uint32Array(text.length);
  let index = 0;
  for (let from = 0; from < original.length; from += 1) {
    const isPlain = original.charCodeAt(from) < 0xa0;
    const length = isPlain ? 1 : (PLAIN_PUNCTUATION.get(original.charAt(from))?.length ?? 1);
    for (let unit = 0; unit < length; unit += 1) starts[index++] = from;
  }
  return { text, starts, endOf: (at) => (starts[at] ?? 0) + 1 };
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
