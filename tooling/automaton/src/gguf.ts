import { type Tensor, tensorBytes } from './tensor.ts';

/** A value of a GGUF header with its type. */
export type GgufValue = Readonly<
  | { type: 'uint32' | 'float32'; value: number }
  | { type: 'bool'; value: boolean }
  | { type: 'string'; value: string }
  | { type: 'strings'; value: readonly string[] }
  | { type: 'int32s'; value: readonly number[] }
>;

const VERSION = 3;
const ALIGNMENT = 32;
const TYPE = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;
const FLOAT32 = 0;

/** A file as llama.cpp reads it: its facts, where each tensor stands, the tensors. */
export function writeGguf(
  facts: ReadonlyMap<string, GgufValue>,
  tensors: ReadonlyMap<string, Tensor>,
): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('GGUF'), uint32(VERSION)];
  parts.push(uint64(tensors.size), uint64(facts.size));
  for (const [name, fact] of facts) parts.push(string(name), value(fact));
  let offset = 0;
  for (const [name, { shape, values }] of tensors) {
    parts.push(string(name), uint32(shape.length));
    // The fastest dimension comes first here.
    parts.push(...shape.toReversed().map(uint64), uint32(FLOAT32), uint64(offset));
    offset += aligned(values.length * 4);
  }
  const header = Buffer.concat(parts);
  return Buffer.concat([padded(header), ...[...tensors.values()].map(tensorBytes).map(padded)]);
}

function value(fact: GgufValue): Uint8Array {
  switch (fact.type) {
    case 'uint32':
      return Buffer.concat([uint32(TYPE.uint32), uint32(fact.value)]);
    case 'float32':
      return Buffer.concat([uint32(TYPE.float32), float32(fact.value)]);
    case 'bool':
      return Buffer.concat([uint32(TYPE.bool), Buffer.from([fact.value ? 1 : 0])]);
    case 'string':
      return Buffer.concat([uint32(TYPE.string), string(fact.value)]);
    case 'strings':
      return list(TYPE.string, fact.value.map(string));
    case 'int32s':
      return list(TYPE.int32, fact.value.map(uint32));
  }
}

function list(type: number, entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([uint32(TYPE.array), uint32(type), uint64(entries.length), ...entries]);
}

function string(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(number: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function uint64(number: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}

function float32(number: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(number);
  return bytes;
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function padded(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes], aligned(bytes.length));
}
