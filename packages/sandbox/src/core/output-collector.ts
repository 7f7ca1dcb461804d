import type { CapturedBytes } from '../types.ts';
import { ByteStore } from './byte-store.ts';
import { capturedBytes, NO_OUTPUT } from './captured-bytes.ts';

export type Keep = 'head_tail' | 'tail' | 'head';

/**
 * One output stream of a command, capped: the first bytes, the last bytes and an exact count of those between.
 * Bytes come with their offset in the whole stream, so a gap (dropped by the supervisor) and a repetition
 * (sent again after a reconnect) are both seen.
 */
export class OutputCollector {
  readonly #headLimit: number;
  readonly #head = new ByteStore();
  readonly #tail: ByteStore;
  #next = 0;
  #headEnded = false;

  constructor(maxBytes: number, keep: Keep) {
    this.#headLimit = headBytes(maxBytes, keep);
    this.#tail = new ByteStore(maxBytes - this.#headLimit);
  }

  /** The offset of the next byte that has not been seen. */
  get next(): number {
    return this.#next;
  }

  /** Returns the part of `data` that is new. */
  add(offset: number, data: Buffer): Buffer {
    const fresh = offset < this.#next ? data.subarray(this.#next - offset) : data;
    if (offset > this.#next) this.#headEnded = true;
    if (fresh.length > 0) this.#keep(fresh);
    this.#next = Math.max(this.#next, offset + data.length);
    return fresh;
  }

  /** The bytes kept until now, without a marker. */
  kept(): Buffer {
    return Buffer.concat([...this.#head.pieces(), ...this.#tail.pieces()]);
  }

  /** `total`: how many bytes the command wrote, as the supervisor counted them. */
  finish(total: number = this.#next): CapturedBytes {
    if (total === 0 && this.#next === 0) return NO_OUTPUT;
    const bytes = this.kept();
    return capturedBytes(bytes, this.#head.length, Math.max(total, this.#next) - bytes.length);
  }

  #keep(data: Buffer): void {
    const room = this.#headEnded ? 0 : this.#headLimit - this.#head.length;
    if (room > 0) this.#head.append(data.subarray(0, room));
    if (data.length <= room) return;
    this.#headEnded = true;
    this.#tail.append(data.subarray(room));
  }
}

function headBytes(maxBytes: number, keep: Keep): number {
  if (keep === 'tail') return 0;
  return keep === 'head' ? maxBytes : Math.floor(maxBytes / 2);
}
