import type { Readable } from 'node:stream';

/** So much is held for a slow reader before the other side has to wait. */
const HELD_BYTES = 1_048_576;

/**
 * The chunks of one of a channel's two streams as they come. The stream flows: asked for what it holds, it would copy all of
 * that into one buffer. It is not destroyed at the end of a reader, as it would take the other one along.
 */
export class ChannelReader {
  readonly #stream: Readable;
  #chunks: Buffer[] = [];
  #length = 0;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#add(chunk));
    stream.once('end', () => this.#end()).once('close', () => this.#end());
    stream.on('error', () => this.#end());
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunks = this.#chunks;
      this.#chunks = [];
      this.#length = 0;
      this.#stream.resume();
      yield* chunks;
      if (this.#chunks.length > 0) continue;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Drops what comes from now on: the library tells of a channel's end only after all was taken. */
  abandon(): void {
    this.#end();
    this.#chunks = [];
    this.#stream.resume();
  }

  #add(chunk: Buffer): void {
    if (this.#hasEnded) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > HELD_BYTES) this.#stream.pause();
    this.#wake();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#wake();
  }
}
