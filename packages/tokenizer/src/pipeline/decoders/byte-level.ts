import { CHARACTER_BYTES } from '../byte-characters.ts';

/** The bytes of a token of a byte-level vocabulary; a token with other characters is plain text. */
export function bytesOfToken(token: string): number[] {
  const bytes: number[] = [];
  for (const character of token) {
    const byte = CHARACTER_BYTES.get(character);
    if (byte === undefined) return Array.from(new TextEncoder().encode(token));
    bytes.push(byte);
  }
  return bytes;
}
