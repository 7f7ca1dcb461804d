import type { JsonReader } from './json-reader.ts';
import { scanNumber, scanString, scanWord, startsNumber } from './scan-tokens.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Deeper than any real message; a reader that recurses has to stop somewhere. */
const MOST_LEVELS = 500;

/** Copies any value, without the white space between its tokens. */
export function copyValue(reader: JsonReader, level = 0): void {
  const byte = reader.peek();
  if (level > MOST_LEVELS) throw new RangeError('a JSON text of more than 500 levels');
  if (byte === OPEN_OBJECT) copyObject(reader, level);
  else if (byte === OPEN_LIST) copyList(reader, level);
  else copyScalar(reader, byte);
}

/** Moves past any value, writing nothing. */
export function skipValue(reader: JsonReader): void {
  const { length, isFinite: wasFinite } = reader;
  copyValue(reader);
  reader.length = length;
  reader.isFinite = wasFinite;
}

/** Moves past any value and returns it. Numbers that are not finite come back as null: nothing but an echo is made from it. */
export function readValue(reader: JsonReader): unknown {
  const { length, isFinite: wasFinite } = reader;
  copyValue(reader);
  const text = Buffer.from(reader.out.subarray(length, reader.length)).toString();
  const value: unknown = JSON.parse(reader.isFinite ? text : withoutNonFinite(text));
  reader.length = length;
  reader.isFinite = wasFinite;
  return value;
}

function copyScalar(reader: JsonReader, byte: number): void {
  const start = reader.at;
  if (byte === QUOTE) scanString(reader);
  else if (startsNumber(byte)) {
    if (scanNumber(reader) === 'not_finite') reader.isFinite = false;
  } else if (!['null', 'true', 'false'].some((word) => scanWord(reader, word))) {
    reader.fail('Expecting value');
  }
  reader.copyFrom(start);
}

function copyList(reader: JsonReader, level: number): void {
  reader.at += 1;
  reader.writeByte(OPEN_LIST);
  let isFirst = true;
  while (isFirst ? !reader.take(CLOSE_LIST) : !endsHere(reader, CLOSE_LIST)) {
    if (!isFirst) reader.writeByte(COMMA);
    isFirst = false;
    copyValue(reader, level + 1);
  }
  reader.writeByte(CLOSE_LIST);
}

function copyObject(reader: JsonReader, level: number): void {
  reader.at += 1;
  reader.writeByte(OPEN_OBJECT);
  let isFirst = true;
  while (isFirst ? !reader.take(CLOSE_OBJECT) : !endsHere(reader, CLOSE_OBJECT)) {
    if (!isFirst) reader.writeByte(COMMA);
    isFirst = false;
    const start = scanKey(reader);
    reader.copyFrom(start);
    reader.expect(COLON, "Expecting ':' delimiter");
    reader.writeByte(COLON);
    copyValue(reader, level + 1);
  }
  reader.writeByte(CLOSE_OBJECT);
}

/** After an entry of a list or object: true at its end, false after a comma. */
export function endsHere(reader: JsonReader, close: number): boolean {
  if (reader.take(close)) return true;
  reader.expect(COMMA, "Expecting ',' delimiter");
  return false;
}

/** Moves past the key of an object's entry and returns where it starts. */
export function scanKey(reader: JsonReader): number {
  if (reader.peek() !== QUOTE) reader.fail('Expecting property name enclosed in double quotes');
  const start = reader.at;
  scanString(reader);
  return start;
}

function withoutNonFinite(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g, (token) =>
    token.startsWith('"') ? token : 'null',
  );
}
