import { asBuffer } from './frames.ts';

/** Unparsed input in the pieces it came in. A byte is copied only when what is asked for spans pieces. */
export class ChunkBuffer {
  #pieces: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** How many bytes can be taken without a copy. */
  get pieceLength(): number {
    return this.#pieces[0]?.length ?? 0;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#pieces.push(asBuffer(chunk));
    this.#length += chunk.length;
  }

  /** The first `count` bytes, still in the buffer. There must be that many. */
  peek(count: number): Buffer {
    const [first] = this.#pieces;
    return first !== undefined && first.length >= count
      ? first.subarray(0, count)
      : this.#gather(count);
  }

  /** Removes and returns the first `count` bytes. There must be that many. */
  take(count: number): Buffer {
    const taken = this.peek(count);
    this.skip(count);
    return taken;
  }

  skip(count: number): void {
    this.#length -= count;
    let left = count;
    let whole = 0;
    for (const piece of this.#pieces) {
      if (piece.length > left) break;
      left -= piece.length;
      whole += 1;
    }
    if (whole > 0) this.#pieces.splice(0, whole);
    const [first] = this.#pieces;
    if (left > 0 && first !== undefined) this.#pieces[0] = first.subarray(left);
  }

  #gather(count: number): Buffer {
    const gathered = Buffer.allocUnsafe(count);
    let filled = 0;
    for (const piece of this.#pieces) {
      if (filled === count) break;
      filled += piece.copy(gathered, filled, 0, Math.min(piece.length, count - filled));
    }
    return gathered;
  }
}
