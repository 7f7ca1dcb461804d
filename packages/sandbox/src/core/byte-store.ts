const BLOCK_BYTES = 65_536;
const FIRST_BLOCK_BYTES = 1024;

/** A queue of bytes in blocks of its own. With a `limit` the oldest bytes make way for the newest. */
export class ByteStore {
  readonly #limit: number;
  #blocks: Buffer[] = [];
  #room = 0;
  #length = 0;

  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get length(): number {
    return Math.min(this.#length, this.#limit);
  }

  append(bytes: Buffer): void {
    const useful = bytes.length > this.#limit ? bytes.subarray(bytes.length - this.#limit) : bytes;
    let done = 0;
    while (done < useful.length) {
      if (this.#room === 0) this.#addBlock(useful.length - done);
      done += this.#fill(useful, done);
    }
    this.#forgetOldest();
  }

  /** What is kept, oldest first, without a copy: read it before the next append. */
  pieces(): Buffer[] {
    const last = this.#blocks[this.#blocks.length - 1];
    if (last === undefined) return [];
    const filled = [...this.#blocks.slice(0, -1), last.subarray(0, last.length - this.#room)];
    const [first = last] = filled;
    filled[0] = first.subarray(this.#length - this.length);
    return filled;
  }

  #fill(bytes: Buffer, from: number): number {
    const block = this.#blocks[this.#blocks.length - 1];
    if (block === undefined) return 0;
    const copied = bytes.copy(block, block.length - this.#room, from);
    this.#room -= copied;
    this.#length += copied;
    return copied;
  }

  #addBlock(needed: number): void {
    const least = this.#blocks.length === 0 ? FIRST_BLOCK_BYTES : BLOCK_BYTES;
    const size = Math.max(least, Math.min(needed, BLOCK_BYTES));
    this.#blocks.push(Buffer.allocUnsafe(size));
    this.#room = size;
  }

  #forgetOldest(): void {
    let first = this.#blocks[0];
    while (first !== undefined && this.#blocks.length > 1) {
      if (this.#length - first.length < this.#limit) return;
      this.#length -= first.length;
      this.#blocks.shift();
      first = this.#blocks[0];
    }
  }
}
