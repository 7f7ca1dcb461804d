import { MAX_DATA_BYTES, MAX_FILE_DATA_BYTES } from './frames.ts';
import type { Link } from './link.ts';

/** The script starts some processes for each frame, so it gets few. */
const MAX_SCRIPT_DATA_BYTES = 524_288;

/** How much may still be sent on one id. Without credit at the other side there is no limit but the channel's own. */
export class SendWindow {
  readonly #initial: number;
  #left: number;
  #closed = false;
  #wake: (() => void) | null = null;

  constructor(link: Link) {
    this.#initial = link.has('credit') ? link.welcome.credit : Number.POSITIVE_INFINITY;
    this.#left = this.#initial;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Whether the other side has handed on all that was sent. */
  get settled(): boolean {
    return this.#left === this.#initial;
  }

  add(bytes: number): void {
    this.#left += bytes;
    this.#wake?.();
  }

  /** Ends every wait: what is sent from now on goes nowhere. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  reset(): void {
    this.#left = this.#initial;
    this.#wake?.();
  }

  take(wanted: number): number {
    const taken = Math.min(wanted, this.#left);
    this.#left -= taken;
    return taken;
  }

  async whenOpen(): Promise<void> {
    while (this.#left <= 0 && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }
}

/** Sends bytes on an id in frames, as fast as credit and channel let it. Resolves when all is handed on, or the window is closed. */
export async function sendData(
  link: Link,
  type: number,
  id: number,
  window: SendWindow,
  bytes: Uint8Array,
): Promise<void> {
  const largest = link.has('credit') ? MAX_DATA_BYTES : MAX_SCRIPT_DATA_BYTES;
  await sendFrames(link, window, bytes, largest, (part) => link.data(type, id, part));
}

/** As sendData, but in large frames and without a copy: the bytes must not change until the answer to them came. */
export async function sendBulk(
  link: Link,
  type: number,
  id: number,
  window: SendWindow,
  bytes: Uint8Array,
): Promise<void> {
  await sendFrames(link, window, bytes, MAX_FILE_DATA_BYTES, (part) => link.bulk(type, id, part));
}

async function sendFrames(
  link: Link,
  window: SendWindow,
  bytes: Uint8Array,
  largest: number,
  send: (part: Uint8Array) => void,
): Promise<void> {
  let sent = 0;
  while (sent < bytes.length && !window.closed) {
    const count = window.take(Math.min(largest, bytes.length - sent));
    if (count > 0) send(bytes.subarray(sent, sent + count));
    else await window.whenOpen();
    sent += count;
    const wait = link.room();
    if (wait !== null) await wait;
  }
}
