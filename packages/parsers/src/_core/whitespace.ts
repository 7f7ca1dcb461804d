/** Space, tab, line feed or carriage return: nothing else is white space to a parser. */
export function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** Index of the first character at or after `from` that is no white space. */
export function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

/** Length of the text without the white space at its end. */
export function lengthWithoutTrailingSpace(text: string): number {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** The text without white space at both ends. */
export function trimSpace(text: string): string {
  const end = lengthWithoutTrailingSpace(text);
  return text.slice(Math.min(skipSpace(text, 0), end), end);
}
