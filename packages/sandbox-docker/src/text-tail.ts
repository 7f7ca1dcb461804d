const KEPT_BYTES = 65_536;

/** The last bytes of a stream that nobody may be reading, for one reader. */
export class TextTail {
  #chunks: Buffer[] = [];
  #length = 0;
  #ended = false;
  #wake: () => void = () => undefined;

  add(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    while (this.#length > KEPT_BYTES && this.#chunks.length > 1)
      this.#length -= this.#chunks.shift()?.length ?? 0;
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunks = this.#chunks.splice(0);
      this.#length = 0;
      yield* chunks;
      if (this.#ended && this.#chunks.length === 0) return;
      if (this.#chunks.length === 0 && !this.#ended)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
