import type { OutputCollector } from './output-collector.ts';

/**
 * A stream of a running command for one reader at a time. Without a reader the output is only captured, capped;
 * the first read starts with what is captured, and from then on a slow reader holds the command back.
 */
export class LiveOutput implements AsyncIterable<Uint8Array> {
  readonly #captured: () => OutputCollector;
  readonly #consumed: (bytes: number) => void;
  #queue: Buffer[] = [];
  #attached = false;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(captured: () => OutputCollector, consumed: (bytes: number) => void) {
    this.#captured = captured;
    this.#consumed = consumed;
  }

  /** Takes a chunk; true when it was not kept for the reader. */
  push(chunk: Buffer): boolean {
    if (!this.#attached) return true;
    this.#queue.push(chunk);
    this.#wake();
    return false;
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    this.#attached = true;
    const before = this.#captured().kept();
    try {
      if (before.length > 0) yield before;
      yield* this.#follow();
    } finally {
      this.#detach();
    }
  }

  async *#follow(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#queue.shift();
      if (chunk !== undefined) {
        this.#consumed(chunk.length);
        yield chunk;
      } else if (this.#ended) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  #detach(): void {
    this.#attached = false;
    for (const chunk of this.#queue) this.#consumed(chunk.length);
    this.#queue = [];
  }
}
