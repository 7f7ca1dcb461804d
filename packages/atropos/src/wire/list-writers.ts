import { copyPlainNumbers } from './copy-plain-numbers.ts';
import { readValue } from './copy-value.ts';
import { type Issue, issueOf, type Place } from './issues.ts';
import type { JsonReader } from './json-reader.ts';
import { type Shape, type Writer, writeFloat, writeInt } from './writers.ts';

const SPACE = 32;
const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;

/** A list whose entries the writer takes. Its shape is the shapes of its entries. */
export function listOf(writer: Writer): Writer {
  return (reader, place, issues) => {
    const shapes: Shape[] = [];
    for (let isMore = beginsList(reader, place, issues); isMore; isMore = goesOn(reader))
      shapes.push(writer(reader, { parent: place, key: shapes.length }, issues));
    return shapes;
  };
}

/** A list of numbers: where nearly all the bytes of a group are. Its shape is how many. */
export function numbersOf(kind: 'int' | 'float'): Writer {
  const writer = kind === 'int' ? writeInt : writeFloat;
  const areFloats = kind === 'float';
  return (reader, place, issues) => {
    let count = 0;
    for (let isMore = beginsList(reader, place, issues); isMore; isMore = goesOn(reader)) {
      count += copyPlainNumbers(reader, areFloats);
      writer(reader, { parent: place, key: count }, issues);
      count += 1;
    }
    return count;
  };
}

/** True before the first entry. False for an empty list, which is read to its end, and for what is no list, which is an issue. */
function beginsList(reader: JsonReader, place: Place, issues: Issue[]): boolean {
  if (reader.peek() !== OPEN_LIST) {
    issues.push(issueOf('list_type', place, readValue(reader)));
    return false;
  }
  reader.at += 1;
  reader.writeByte(OPEN_LIST);
  if (!reader.take(CLOSE_LIST)) return true;
  reader.writeByte(CLOSE_LIST);
  return false;
}

/** After an entry: true before the next one. */
function goesOn(reader: JsonReader): boolean {
  const { bytes } = reader;
  if (bytes[reader.at] !== COMMA && reader.take(CLOSE_LIST)) {
    reader.writeByte(CLOSE_LIST);
    return false;
  }
  reader.expect(COMMA, "Expecting ',' delimiter");
  // Python writes a space after each comma
  if (bytes[reader.at] === SPACE) reader.at += 1;
  reader.writeByte(COMMA);
  return true;
}
