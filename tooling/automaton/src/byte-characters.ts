/** The character that stands for each byte in a byte-level vocabulary: itself where it can be seen, else one from U+0100 on. */
export const byteCharacters: readonly string[] = makeByteCharacters();

function makeByteCharacters(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const isVisible = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCharCode(isVisible ? byte : next++);
  });
}

/** A text as the characters of its bytes. */
export function toByteCharacters(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => byteCharacters[byte]).join('');
}
