/** The bytes of each tensor, in hexadecimal by its name. Reads the file as the format is described, not as it was written. */
export function readGguf(file: Uint8Array): Map<string, string> {
  const reader = new Reader(Buffer.from(file));
  reader.skip(8);
  const [tensors, facts] = [reader.uint64(), reader.uint64()];
  for (let index = 0; index < facts; index += 1) {
    reader.string();
    reader.value(reader.uint32());
  }
  const infos = Array.from({ length: tensors }, () => {
    const name = reader.string();
    const sizes = Array.from({ length: reader.uint32() }, () => reader.uint64());
    reader.skip(4);
    return { name, bytes: 4 * sizes.reduce((a, b) => a * b, 1), offset: reader.uint64() };
  });
  const start = Math.ceil(reader.position / 32) * 32;
  return new Map(
    infos.map(({ name, bytes, offset }) => [
      name,
      reader.buffer.toString('hex', start + offset, start + offset + bytes),
    ]),
  );
}

class Reader {
  position = 0;
  readonly buffer: Buffer;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  skip(bytes: number): void {
    this.position += bytes;
  }

  uint32(): number {
    this.position += 4;
    return this.buffer.readUInt32LE(this.position - 4);
  }

  uint64(): number {
    this.position += 8;
    return Number(this.buffer.readBigUInt64LE(this.position - 8));
  }

  string(): string {
    const length = this.uint64();
    this.position += length;
    return this.buffer.toString('utf8', this.position - length, this.position);
  }

  /** Passes over a value of one of the types that are in use: 7 is one byte, 8 a text, 9 a list, others four bytes. */
  value(type: number): void {
    if (type === 9) {
      const entry = this.uint32();
      const length = this.uint64();
      for (let index = 0; index < length; index += 1) this.value(entry);
    } else if (type === 8) this.string();
    else this.skip(type === 7 ? 1 : 4);
  }
}
