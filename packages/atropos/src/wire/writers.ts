import { copyValue, readValue } from './copy-value.ts';
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
