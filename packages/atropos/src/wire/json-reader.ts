/** The text is no JSON. `reason` and `position` are in the words of Python's reader, which clients of the original know. */
export class JsonSyntaxError extends Error {
  readonly reason: string;
  readonly position: number;

  constructor(reason: string, position: number) {
    super(`${reason} at ${position}`);
    this.name = 'JsonSyntaxError';
    this.reason = reason;
    this.position = position;
  }
}

/**
 * A place in the bytes of a JSON text, and what has been written from it so far. A body is read once: what is valid is copied in the form
 * that a trainer gets, without making values of it. A group has a hundred thousand numbers; as values they would cost ten times the time.
 */
export class JsonReader {
  readonly bytes: Uint8Array;
  at = 0;
  /** What has been written: the first `length` bytes. Another one once this is full. */
  out: Uint8Array;
  length = 0;
  /** False once a NaN or an infinite number was written: such a text can be kept but not answered. */
  isFinite = true;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    // what is written is about as long as what is read: a little longer where floats were written without a point
    this.out = Buffer.allocUnsafe(Math.ceil(bytes.length * 1.25) + 16);
  }

  /** The next byte that is no white space; 0 at the end. */
  peek(): number {
    const { bytes } = this;
    let byte = bytes[this.at];
    while (byte === 32 || byte === 10 || byte === 13 || byte === 9) {
      this.at += 1;
      byte = bytes[this.at];
    }
    return byte ?? 0;
  }

  /** Moves past this byte if it is next. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at += 1;
    return true;
  }

  expect(byte: number, reason: string): void {
    if (!this.take(byte)) this.fail(reason);
  }

  fail(reason: string, position: number = this.at): never {
    throw new JsonSyntaxError(reason, position);
  }

  /** The text of the input from a position up to here. */
  textFrom(start: number): string {
    return Buffer.from(
      this.bytes.buffer,
      this.bytes.byteOffset + start,
      this.at - start,
    ).toString();
  }

  writeByte(byte: number): void {
    this.makeRoom(1);
    this.out[this.length] = byte;
    this.length += 1;
  }

  writeText(text: string): void {
    for (let index = 0; index < text.length; index += 1) this.writeByte(text.charCodeAt(index));
  }

  /** Copies the input from a position up to here. */
  copyFrom(start: number): void {
    this.copyRun(start, this.at);
  }

  /** Copies a part of the input. A call into the runtime pays only for long ones. */
  copyRun(start: number, end: number): void {
    this.makeRoom(end - start);
    const { bytes, out } = this;
    let { length } = this;
    if (end - start > SHORT_RUN) {
      out.set(bytes.subarray(start, end), length);
      length += end - start;
    } else
      for (let from = start; from < end; from += 1) {
        out[length] = bytes[from] as number;
        length += 1;
      }
    this.length = length;
  }

  private makeRoom(byteCount: number): void {
    if (this.length + byteCount <= this.out.length) return;
    const larger = Buffer.allocUnsafe(2 * this.out.length + byteCount);
    larger.set(this.out.subarray(0, this.length));
    this.out = larger;
  }
}

const SHORT_RUN = 48;
