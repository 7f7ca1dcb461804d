import { shellError } from './remote-shell.ts';

/** A stream of texts, each of which ends with a line that begins with its mark. */
export class MarkedText {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #read: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** What comes before the line of this mark, and the rest of that line. Throws TRANSPORT when the stream ends before it. */
  async until(mark: string): Promise<Readonly<{ text: string; line: string }>> {
    const start = Buffer.from(`\n${mark}`);
    for (;;) {
      const at = this.#read.indexOf(start);
      const end = at < 0 ? -1 : this.#read.indexOf('\n', at + start.length);
      if (end >= 0) {
        const text = this.#read.subarray(0, at).toString('utf8');
        const line = this.#read
          .subarray(at + start.length, end)
          .toString('utf8')
          .trim();
        this.#read = this.#read.subarray(end + 1);
        return { text, line };
      }
      const next = await this.#chunks.next();
      if (next.done === true) throw shellError('the connection ended');
      this.#read = Buffer.concat([this.#read, next.value]);
    }
  }
}
