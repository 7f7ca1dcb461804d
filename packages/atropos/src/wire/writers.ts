import { copyValue, endsHere, readValue } from './copy-value.ts';
import { type Issue, issueOf, type Place } from './issues.ts';
import type { JsonReader } from './json-reader.ts';
import { scanNumber, startsNumber } from './scan-tokens.ts';

/** How many entries a list has, or what its lists have. A value that is no list has 0. */
export type Shape = number | readonly Shape[];

/**
 * Reads one value, notes what is wrong with it, and writes it in the form that a trainer gets: whole numbers where ints are declared,
 * a decimal point where floats are, as pydantic turns "4", 1.0 and true into what a field declares.
 */
export type Writer = (reader: JsonReader, place: Place, issues: Issue[]) => Shape;

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;

export const writeInt: Writer = (reader, place, issues) => {
  if (!startsNumber(reader.peek())) return coerceInt(reader, place, issues);
  const start = reader.at;
  const kind = scanNumber(reader);
  if (kind === 'int') reader.copyFrom(start);
  else if (kind === 'not_finite') issues.push(issueOf('finite_number', place, null));
  else intFromFloat(reader, Number(reader.textFrom(start)), place, issues);
  return 0;
};

export const writeFloat: Writer = (reader, place, issues) => {
  if (!startsNumber(reader.peek())) return coerceFloat(reader, place, issues);
  const start = reader.at;
  const kind = scanNumber(reader);
  reader.copyFrom(start);
  if (kind === 'int') reader.writeText('.0');
  if (kind === 'not_finite') reader.isFinite = false;
  return 0;
};

export const writeString: Writer = (reader, place, issues) => {
  if (reader.peek() === QUOTE) copyValue(reader);
  else issues.push(issueOf('string_type', place, readValue(reader)));
  return 0;
};

export const writeObject: Writer = (reader, place, issues) => {
  if (reader.peek() === OPEN_OBJECT) copyValue(reader);
  else issues.push(issueOf('dict_type', place, readValue(reader)));
  return 0;
};

export const writeAny: Writer = (reader) => {
  copyValue(reader);
  return 0;
};

/** null, or what the writer takes. */
export function nullable(writer: Writer): Writer {
  return (reader, place, issues) => {
    if (reader.peek() !== 110) return writer(reader, place, issues);
    copyValue(reader);
    return 0;
  };
}

export function listOf(writer: Writer): Writer {
  return (reader, place, issues) => {
    const shapes: Shape[] = [];
    const write = (index: number) => {
      shapes.push(writer(reader, { parent: place, key: index }, issues));
    };
    return writeList(reader, place, issues, write) ? shapes : 0;
  };
}

/** A list of numbers: where nearly all the bytes of a group are. */
export function numbersOf(kind: 'int' | 'float'): Writer {
  const writer = kind === 'int' ? writeInt : writeFloat;
  return (reader, place, issues) => {
    let count = 0;
    const write = (index: number) => {
      count = index + 1;
      if (!copyPlainInt(reader, kind === 'float'))
        writer(reader, { parent: place, key: index }, issues);
    };
    return writeList(reader, place, issues, write) ? count : 0;
  };
}

function writeList(
  reader: JsonReader,
  place: Place,
  issues: Issue[],
  write: (index: number) => void,
): boolean {
  if (reader.peek() !== OPEN_LIST) {
    issues.push(issueOf('list_type', place, readValue(reader)));
    return false;
  }
  reader.at += 1;
  reader.writeByte(OPEN_LIST);
  let index = 0;
  while (index === 0 ? !reader.take(CLOSE_LIST) : !endsHere(reader, CLOSE_LIST)) {
    if (index > 0) reader.writeByte(COMMA);
    write(index);
    index += 1;
  }
  reader.writeByte(CLOSE_LIST);
  return true;
}

/** Copies a whole number of the commonest form. False, with nothing done, for every other value. */
function copyPlainInt(reader: JsonReader, asFloat: boolean): boolean {
  const { bytes } = reader;
  let end = reader.at;
  if (bytes[end] === 45) end += 1;
  const first = bytes[end] as number;
  if (!(first >= 49 && first <= 57)) return false;
  let byte = first;
  while (byte >= 48 && byte <= 57) {
    end += 1;
    byte = bytes[end] as number;
  }
  if (byte !== COMMA && byte !== CLOSE_LIST) return false;
  const start = reader.at;
  reader.at = end;
  reader.copyFrom(start);
  if (asFloat) reader.writeText('.0');
  return true;
}

function coerceInt(reader: JsonReader, place: Place, issues: Issue[]): Shape {
  const value = readValue(reader);
  if (typeof value === 'boolean') reader.writeText(value ? '1' : '0');
  else if (typeof value !== 'string') issues.push(issueOf('int_type', place, value));
  else if (!/^\s*[+-]?\d+(?:\.0*)?\s*$/.test(value))
    issues.push(issueOf('int_parsing', place, value));
  else reader.writeText(BigInt(value.replace(/\..*$/s, '').replace('+', '').trim()).toString());
  return 0;
}

function coerceFloat(reader: JsonReader, place: Place, issues: Issue[]): Shape {
  const value = readValue(reader);
  if (typeof value === 'boolean') reader.writeText(value ? '1.0' : '0.0');
  else if (typeof value !== 'string') issues.push(issueOf('float_type', place, value));
  else if (/^\s*[+-]?(?:nan|inf|infinity)\s*$/i.test(value)) {
    reader.writeText('NaN');
    reader.isFinite = false;
  } else if (!/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value))
    issues.push(issueOf('float_parsing', place, value));
  else reader.writeText(floatText(Number(value)));
  return 0;
}

function intFromFloat(reader: JsonReader, value: number, place: Place, issues: Issue[]): void {
  if (Number.isSafeInteger(value)) reader.writeText(String(value));
  else issues.push(issueOf('int_from_float', place, value));
}

/** A float as Python writes it: never without a point or an exponent. */
export function floatText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) || !Number.isFinite(value) ? text : `${text}.0`;
}
