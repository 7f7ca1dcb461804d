const KEPT_BYTES = 4 * 1024 * 1024;

/** What a terminal wrote, as it came; the oldest is given up beyond 4 MiB. */
export class RawOutput {
  #kept: Buffer = Buffer.alloc(0);
  /** Where `#kept` begins in all that ever came. */
  #start = 0;
  #read = 0;

  push(chunk: Uint8Array): void {
    this.#kept = Buffer.concat([this.#kept, chunk]);
    const beyond = this.#kept.length - KEPT_BYTES;
    if (beyond <= 0) return;
    this.#kept = this.#kept.subarray(beyond);
    this.#start += beyond;
  }

  /** What came since the last time. isFromStart: all that is kept, once more. lost: what was given up in between. */
  take(
    maxBytes: number,
    isFromStart: boolean,
  ): Readonly<{ bytes: Buffer; lost: number; left: number }> {
    const from = Math.max(isFromStart ? 0 : this.#read, this.#start);
    const lost = from - (isFromStart ? 0 : this.#read);
    const bytes = this.#kept.subarray(from - this.#start, from - this.#start + maxBytes);
    this.#read = from + bytes.length;
    return { bytes, lost, left: this.#start + this.#kept.length - this.#read };
  }
}
