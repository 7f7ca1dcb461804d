import type { JsonReader } from './json-reader.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const MINUS = 45;
const PLUS = 43;
const DOT = 46;

/** What Python makes of a number: an int, a float, or one that is not finite. */
export type NumberKind = 'int' | 'float' | 'not_finite';

/** Moves past a number. */
export function scanNumber(reader: JsonReader): NumberKind {
  const start = reader.at;
  if (reader.bytes[reader.at] === MINUS) reader.at += 1;
  if (scanWord(reader, 'Infinity')) return 'not_finite';
  if (reader.at === start && scanWord(reader, 'NaN')) return 'not_finite';
  if (reader.bytes[reader.at] === 48) reader.at += 1;
  else if (!scanDigits(reader)) reader.fail('Expecting value', start);
  const hasFraction = scanFraction(reader);
  if (!scanExponent(reader)) return hasFraction ? 'float' : 'int';
  return Number.isFinite(Number(reader.textFrom(start))) ? 'float' : 'not_finite';
}

/** Moves past a string. */
export function scanString(reader: JsonReader): void {
  const { bytes } = reader;
  const start = reader.at;
  for (reader.at += 1; reader.at < bytes.length; reader.at += 1) {
    const byte = bytes[reader.at] as number;
    if (byte === QUOTE) {
      reader.at += 1;
      return;
    }
    if (byte < 32) reader.fail('Invalid control character at');
    if (byte === BACKSLASH) scanEscape(reader);
  }
  reader.fail('Unterminated string starting at', start);
}

/** Moves past a word such as `null`, if it is next. */
export function scanWord(reader: JsonReader, word: string): boolean {
  for (let index = 0; index < word.length; index += 1)
    if (reader.bytes[reader.at + index] !== word.charCodeAt(index)) return false;
  reader.at += word.length;
  return true;
}

/** True for the first byte of a number, NaN and Infinity included. */
export function startsNumber(byte: number): boolean {
  return isDigit(byte) || byte === MINUS || byte === 78 || byte === 73;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

function scanDigits(reader: JsonReader): boolean {
  const start = reader.at;
  while (isDigit(reader.bytes[reader.at])) reader.at += 1;
  return reader.at > start;
}

/** A dot without digits belongs to what follows the number, which is then an error there. */
function scanFraction(reader: JsonReader): boolean {
  if (reader.bytes[reader.at] !== DOT || !isDigit(reader.bytes[reader.at + 1])) return false;
  reader.at += 1;
  return scanDigits(reader);
}

function scanExponent(reader: JsonReader): boolean {
  const { bytes, at } = reader;
  if (bytes[at] !== 101 && bytes[at] !== 69) return false;
  const hasSign = bytes[at + 1] === MINUS || bytes[at + 1] === PLUS;
  const digitsAt = at + (hasSign ? 2 : 1);
  if (!isDigit(bytes[digitsAt])) return false;
  reader.at = digitsAt;
  return scanDigits(reader);
}

/** Stops on the last byte of the escape. */
function scanEscape(reader: JsonReader): void {
  reader.at += 1;
  const kind = String.fromCharCode(reader.bytes[reader.at] ?? 0);
  if (!'"\\/bfnrtu'.includes(kind)) reader.fail('Invalid \\escape', reader.at - 1);
  if (kind !== 'u') return;
  const start = reader.at;
  reader.at += 5;
  if (!/^u[0-9a-fA-F]{4}$/.test(reader.textFrom(start))) {
    reader.fail('Invalid \\uXXXX escape', start);
  }
  reader.at -= 1;
}
