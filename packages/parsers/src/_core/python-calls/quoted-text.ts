const inDouble = /[^"\\]*/y;
const inSingle = /[^'\\]*/y;

/** Index of the next backslash or quote of this kind; the length when there is none. */
export function plainTextEnd(text: string, from: number, quote: number): number {
  const plain = quote === 34 ? inDouble : inSingle;
  plain.lastIndex = from;
  plain.test(text);
  return plain.lastIndex;
}
