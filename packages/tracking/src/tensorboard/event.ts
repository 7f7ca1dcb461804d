import type { JsonValue } from '@hermes/protocol';
import type { TrackedEntry } from '../types.ts';
import { doubleField, floatField, integerField, messageField, textField } from './protobuf.ts';

// Field numbers of TensorFlow's event.proto, summary.proto and tensor.proto.
const EVENT = { wallTime: 1, step: 2, fileVersion: 3, summary: 5 };
const SUMMARY = { value: 1 };
const VALUE = { tag: 1, simpleValue: 2, tensor: 8, metadata: 9 };
const METADATA = { plugin: 1, dataClass: 4 };
const PLUGIN = { name: 1 };
const TENSOR = { type: 1, shape: 2, strings: 8 };
const SHAPE = { dimension: 2 };
const DIMENSION = { size: 1 };
const DATA_CLASS_TENSOR = 2;
const TYPE_STRING = 7;

/** The event that every file begins with. */
export function versionEvent(wallMs: number): Uint8Array {
  return Buffer.concat([
    doubleField(EVENT.wallTime, wallMs / 1000),
    textField(EVENT.fileVersion, 'brain.Event:2'),
  ]);
}

/** An entry as an event: numbers as scalars, a table as the text that TensorBoard draws as one. */
export function eventOf(entry: TrackedEntry): Uint8Array {
  const values =
    entry.kind === 'table'
      ? [tableValue(entry.name, [entry.columns, ...entry.rows])]
      : Object.entries(entry.values).map(([name, value]) => scalarValue(name, value));
  return Buffer.concat([
    doubleField(EVENT.wallTime, entry.wallMs / 1000),
    integerField(EVENT.step, entry.step),
    messageField(EVENT.summary, ...values.map((value) => messageField(SUMMARY.value, value))),
  ]);
}

function scalarValue(name: string, value: number): Uint8Array {
  return Buffer.concat([textField(VALUE.tag, name), floatField(VALUE.simpleValue, value)]);
}

function tableValue(name: string, lines: readonly (readonly JsonValue[])[]): Uint8Array {
  const width = Math.max(...lines.map((line) => line.length));
  const cells = lines.flatMap((line) =>
    Array.from({ length: width }, (_, column) => cellText(line[column] ?? '')),
  );
  return Buffer.concat([
    textField(VALUE.tag, name),
    messageField(
      VALUE.metadata,
      messageField(METADATA.plugin, textField(PLUGIN.name, 'text')),
      integerField(METADATA.dataClass, DATA_CLASS_TENSOR),
    ),
    messageField(
      VALUE.tensor,
      integerField(TENSOR.type, TYPE_STRING),
      messageField(TENSOR.shape, dimension(lines.length), dimension(width)),
      ...cells.map((cell) => textField(TENSOR.strings, cell)),
    ),
  ]);
}

function dimension(size: number): Uint8Array {
  return messageField(SHAPE.dimension, integerField(DIMENSION.size, size));
}

function cellText(cell: JsonValue): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
