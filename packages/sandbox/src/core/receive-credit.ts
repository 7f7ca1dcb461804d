import { FRAME } from './frames.ts';
import type { Link } from './link.ts';

const GRANT_BYTES = 262_144;

/** Tells the supervisor, in few frames, how much of an id's data was taken in. */
export class ReceiveCredit {
  readonly #link: Link;
  readonly #id: number;
  readonly #wanted: boolean;
  readonly #grantBytes: number;
  #owed = 0;

  constructor(link: Link, id: number, grantBytes: number = GRANT_BYTES) {
    this.#grantBytes = grantBytes;
    this.#link = link;
    this.#id = id;
    this.#wanted = link.has('credit');
  }

  consumed(bytes: number): void {
    this.#owed += bytes;
    if (this.#owed < this.#grantBytes || !this.#wanted) return;
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(this.#owed, 0);
    this.#owed = 0;
    this.#link.data(FRAME.credit, this.#id, payload);
  }

  reset(): void {
    this.#owed = 0;
  }
}
