// The little of the protocol buffer format that events need. A message is the concatenation of its fields.

/** Field of type int64 or enum. */
export function integerField(number: number, value: number): Uint8Array {
  return Buffer.concat([tag(number, 0), varint(BigInt.asUintN(64, BigInt(Math.trunc(value))))]);
}

/** Field of type double. */
export function doubleField(number: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([tag(number, 1), bytes]);
}

/** Field of type float. */
export function floatField(number: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([tag(number, 5), bytes]);
}

/** Field of type string. */
export function textField(number: number, text: string): Uint8Array {
  return messageField(number, Buffer.from(text));
}

/** Field that holds a message, or bytes. */
export function messageField(number: number, ...fields: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(fields);
  return Buffer.concat([tag(number, 2), varint(BigInt(bytes.length)), bytes]);
}

function tag(number: number, wireType: 0 | 1 | 2 | 5): Uint8Array {
  return varint(BigInt((number << 3) | wireType));
}

/** Seven bits a byte, the lowest first; the eighth says that more follow. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
