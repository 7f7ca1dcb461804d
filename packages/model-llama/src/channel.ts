/** Values from several producers, read by one consumer in the order they came. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  push(value: T): void {
    this.#values.push(value);
    this.#wake();
  }

  /** Nothing comes after what was pushed. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      yield* this.#values.splice(0);
      if (this.#values.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
