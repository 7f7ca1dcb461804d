/** A character of UTF-8 takes so many bytes at most. */
export const BYTES_OF_CHARACTER = 4;

/** The first characters of a text, none cut in two. */
export function headOf(text: string, maxChars: number): { text: string; isCut: boolean } {
  if (text.length <= maxChars) return { text, isCut: false };
  let end = 0;
  for (let count = 0; count < maxChars && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return { text: text.slice(0, end), isCut: end < text.length };
}
