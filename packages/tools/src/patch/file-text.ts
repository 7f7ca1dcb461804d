const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Where bytes that are no UTF-8 live in a string: no valid text has these alone. */
const ESCAPE_BASE = 0xdc00;
const ESCAPED_RUN = /([\udc80-\udcff]+)/u;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Any bytes as text that `encodeText` turns into the very same bytes again, a byte order mark included. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    return decodeBroken(bytes);
  }
}

/** The bytes of a text of `decodeBytes`. */
export function encodeText(text: string): Uint8Array {
  const pieces = text.split(ESCAPED_RUN);
  if (pieces.length === 1) return Buffer.from(text);
  return Buffer.concat(
    pieces.map((piece, index) => (index % 2 === 1 ? unescaped(piece) : Buffer.from(piece))),
  );
}

/** Without halves of characters: a model's would be taken for raw bytes, and raw bytes it is shown in this way. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

/** Are there bytes in it that no text can show? */
export function hasRawBytes(text: string): boolean {
  return ESCAPED_RUN.test(text);
}

function unescaped(run: string): Uint8Array {
  return Uint8Array.from(run, (character) => character.charCodeAt(0) - ESCAPE_BASE);
}

function decodeBroken(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  let count = 0;
  for (let index = 0; index < bytes.length; ) {
    const length = sequenceLength(bytes, index);
    const point = length === 0 ? ESCAPE_BASE + at(bytes, index) : codePoint(bytes, index, length);
    if (point > 0xffff) {
      units[count++] = 0xd800 + ((point - 0x10000) >> 10);
      units[count++] = 0xdc00 + ((point - 0x10000) & 0x3ff);
    } else {
      units[count++] = point;
    }
    index += Math.max(1, length);
  }
  return Buffer.from(units.buffer, 0, count * 2).toString('utf16le');
}

/** How many bytes the character here has; 0: it is none. */
function sequenceLength(bytes: Uint8Array, index: number): number {
  const first = at(bytes, index);
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (let next = 1; next < length; next += 1) {
    if ((at(bytes, index + next) & 0xc0) !== 0x80) return 0;
  }
  const point = codePoint(bytes, index, length);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  const isOverlong = (length === 3 && point < 0x800) || (length === 4 && point < 0x10000);
  return isSurrogate || isOverlong || point > 0x10ffff ? 0 : length;
}

function codePoint(bytes: Uint8Array, index: number, length: number): number {
  const first = at(bytes, index);
  if (length === 1) return first;
  let point = first & (0x7f >> length);
  for (let next = 1; next < length; next += 1)
    point = (point << 6) | (at(bytes, index + next) & 0x3f);
  return point;
}

/** Beyond the end: 0, which continues no character. */
function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
