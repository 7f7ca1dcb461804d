import { endsHere, readValue, scanKey, skipValue } from './copy-value.ts';
import { type Issue, issueOf, type Place } from './issues.ts';
import type { JsonReader } from './json-reader.ts';
import type { Shape, Writer } from './writers.ts';

/** A declared field of a body. */
export type Field = Readonly<{ name: string; isRequired: boolean; write: Writer }>;

/** A body in the declared form: all fields, in the declared order, unset ones null. */
export type ModelText = Readonly<{ json: Buffer; shapes: ReadonlyMap<string, Shape> }>;

type Found = Readonly<{ start: number; end: number; shape: Shape; issues: readonly Issue[] }>;

const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const COLON = 58;

/** Reads an object by its fields. Unknown keys are dropped, of a repeated key the last counts. null: see the issues. */
export function readModel(
  reader: JsonReader,
  fields: readonly Field[],
  place: Place,
  issues: Issue[],
): ModelText | null {
  if (reader.peek() !== OPEN_OBJECT) {
    issues.push(issueOf('model_attributes_type', place, readValue(reader)));
    return null;
  }
  const start = reader.at;
  const found = readFields(reader, fields, place);
  const wrong = fields.flatMap((field) => issuesOf(field, found, place, reader, start));
  issues.push(...wrong);
  return wrong.length > 0 ? null : assemble(reader, fields, found);
}

function readFields(
  reader: JsonReader,
  fields: readonly Field[],
  place: Place,
): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  reader.at += 1;
  let isFirst = true;
  while (isFirst ? !reader.take(CLOSE_OBJECT) : !endsHere(reader, CLOSE_OBJECT)) {
    isFirst = false;
    const keyAt = scanKey(reader);
    const name: string = JSON.parse(reader.textFrom(keyAt));
    reader.expect(COLON, "Expecting ':' delimiter");
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) skipValue(reader);
    else found.set(name, readField(reader, field, place));
  }
  return found;
}

function readField(reader: JsonReader, field: Field, place: Place): Found {
  const issues: Issue[] = [];
  const start = reader.length;
  const shape = field.write(reader, { parent: place, key: field.name }, issues);
  return { start, end: reader.length, shape, issues };
}

function issuesOf(
  field: Field,
  found: ReadonlyMap<string, Found>,
  place: Place,
  reader: JsonReader,
  start: number,
): readonly Issue[] {
  const value = found.get(field.name);
  if (value !== undefined) return value.issues;
  if (!field.isRequired) return [];
  const whole = { parent: place, key: field.name };
  return [issueOf('missing', whole, valueAt(reader, start))];
}

/** The object that lacks something, for the echo. */
function valueAt(reader: JsonReader, start: number): unknown {
  const { at } = reader;
  reader.at = start;
  const value = readValue(reader);
  reader.at = at;
  return value;
}

const NULL = Buffer.from('null');

function assemble(
  reader: JsonReader,
  fields: readonly Field[],
  found: ReadonlyMap<string, Found>,
): ModelText {
  const pieces: Uint8Array[] = [];
  const shapes = new Map<string, Shape>();
  for (const [index, { name }] of fields.entries()) {
    pieces.push(Buffer.from(`${index === 0 ? '{' : ','}"${name}":`));
    const value = found.get(name);
    pieces.push(value === undefined ? NULL : reader.out.subarray(value.start, value.end));
    if (value !== undefined) shapes.set(name, value.shape);
  }
  pieces.push(Buffer.from('}'));
  return { json: Buffer.concat(pieces), shapes };
}

/** Reads past white space at the end; anything else there is an error. */
export function expectEnd(reader: JsonReader): void {
  if (reader.peek() !== 0 || reader.at < reader.bytes.length) reader.fail('Extra data');
}
