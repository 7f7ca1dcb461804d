/** The printable character that stands for each byte in byte-level vocabularies. */
const BYTE_CHARACTERS: readonly string[] = byteCharacters();

function byteCharacters(): string[] {
  let spare = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    return String.fromCharCode(isPrintable ? byte : spare++);
  });
}

const ENCODER = new TextEncoder();

/** The text with each byte of its UTF-8 as one character. */
export function toByteCharacters(text: string): string {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return result + manyByteCharacters(text.slice(index));
    result += BYTE_CHARACTERS[unit] ?? '';
  }
  return result;
}

function manyByteCharacters(text: string): string {
  let result = '';
  for (const byte of ENCODER.encode(text)) result += BYTE_CHARACTERS[byte] ?? '';
  return result;
}

/** The byte of each such character. */
export const CHARACTER_BYTES: ReadonlyMap<string, number> = new Map(
  BYTE_CHARACTERS.map((character, byte) => [character, byte]),
);
