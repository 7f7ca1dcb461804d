const HEADER_BYTES = 8;
const STDERR = 2;

/** A piece of one of the two streams of a program. */
export type Piece = Readonly<{ stream: 'stdout' | 'stderr'; bytes: Buffer }>;

/** Takes the two streams of a program apart: each frame has a header of 8 bytes with the stream and the length. Pieces are not copied. */
export class Demultiplexer {
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFilled = 0;
  #left = 0;

  *decode(chunk: Buffer): Generator<Piece> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left === 0) at = this.#readHeader(chunk, at);
      const end = Math.min(chunk.length, at + this.#left);
      if (end > at) yield { stream: this.#stream, bytes: chunk.subarray(at, end) };
      this.#left -= end - at;
      at = end;
    }
  }

  get #stream(): Piece['stream'] {
    return this.#header[0] === STDERR ? 'stderr' : 'stdout';
  }

  #readHeader(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + HEADER_BYTES - this.#headerFilled);
    chunk.copy(this.#header, this.#headerFilled, at, end);
    this.#headerFilled += end - at;
    if (this.#headerFilled < HEADER_BYTES) return end;
    this.#headerFilled = 0;
    this.#left = this.#header.readUInt32BE(4);
    return end;
  }
}
