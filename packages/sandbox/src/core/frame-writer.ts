import type { ByteChannel } from '../types.ts';

const BATCH_BYTES = 65_536;
const HIGH_WATER_BYTES = 524_288;

/**
 * Writes frames in order with as few writes as it can: what is sent in one turn of the event loop, or
 * while a write is under way, goes out together.
 */
export class FrameWriter {
  readonly #channel: ByteChannel;
  readonly #onBroken: (cause: unknown) => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #busy = false;
  #waiting: (() => void)[] = [];

  constructor(channel: ByteChannel, onBroken: (cause: unknown) => void) {
    this.#channel = channel;
    this.#onBroken = onBroken;
  }

  send(frame: Buffer): void {
    this.hold(frame);
    if (this.#busy) return;
    this.#busy = true;
    queueMicrotask(() => void this.#flush());
  }

  /** Like send, but the frame may wait until another one is sent or `flush` is called. */
  hold(frame: Buffer): void {
    this.#pending.push(frame);
    this.#pendingBytes += frame.length;
  }

  flush(): void {
    if (this.#busy || this.#pending.length === 0) return;
    this.#busy = true;
    void this.#flush();
  }

  /** Null when more may be sent at once; else a promise of the moment when it may. Senders of data must ask. */
  room(): Promise<void> | null {
    if (this.#pendingBytes < HIGH_WATER_BYTES) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets go of everything that waits; nothing is written any more. */
  close(): void {
    this.#busy = true;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#wake();
  }

  async #flush(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        await this.#channel.write(this.#takeBatch());
        if (this.#pendingBytes < HIGH_WATER_BYTES) this.#wake();
      }
      this.#busy = false;
    } catch (cause) {
      this.close();
      this.#onBroken(cause);
    }
  }

  #takeBatch(): Buffer {
    let bytes = 0;
    let count = 0;
    for (const frame of this.#pending) {
      if (count > 0 && bytes + frame.length > BATCH_BYTES) break;
      bytes += frame.length;
      count += 1;
    }
    const batch = this.#pending.splice(0, count);
    this.#pendingBytes -= bytes;
    const [only] = batch;
    return only !== undefined && batch.length === 1 ? only : Buffer.concat(batch, bytes);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
