import type { SandboxError } from '../types.ts';
import { toSandboxError } from './errors.ts';
import type { Link, LinkCall } from './link.ts';

/** Sees the frames of one request. Returns true when the call is over. */
export type OnReply = (type: number, payload: Buffer) => boolean;

/** A request on a link that is not resumed after a reconnect: it fails with TRANSPORT then. */
export class ReplyCall implements LinkCall {
  readonly id: number;
  /** Resolves at the end; rejects with what `onReply` threw or the link's end. */
  readonly done: Promise<void>;
  readonly #link: Link;
  readonly #onReply: OnReply;
  #resolve: () => void = () => undefined;
  #reject: (error: SandboxError) => void = () => undefined;

  constructor(link: Link, onReply: OnReply) {
    this.#link = link;
    this.#onReply = onReply;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => undefined);
    this.id = link.add(this);
  }

  onFrame(type: number, payload: Buffer): void {
    try {
      if (this.#onReply(type, payload)) this.finish();
    } catch (cause) {
      this.#link.remove(this.id);
      this.#reject(toSandboxError(cause, 'read what the supervisor answered'));
    }
  }

  finish(): void {
    this.#link.remove(this.id);
    this.#resolve();
  }

  resume(): boolean {
    return false;
  }

  offsets(): null {
    return null;
  }

  onTick(): void {}

  onLost(error: SandboxError): void {
    this.#reject(error);
  }
}
