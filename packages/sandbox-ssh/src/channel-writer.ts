import type { Writable } from 'node:stream';
import type { ByteChannel } from '@hermes/sandbox';
import { EndListeners } from './end-listeners.ts';

/** Writes to a channel. Who waits for a write when it closes is told: the library forgets what is written to a closed one. */
export class ChannelWriter {
  readonly #stream: Writable;
  readonly #waiting = new EndListeners();
  #end = new Error('the program has ended');

  constructor(stream: Writable, closed: ByteChannel['closed']) {
    this.#stream = stream;
    void closed.then(({ error }) => {
      if (error !== null) this.#end = new Error(error);
      this.#waiting.end();
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = this.#waiting.add(() => reject(this.#end));
      this.#stream.write(bytes, (error) => {
        leave();
        if (error) reject(error);
        else resolve();
      });
    });
  }
}
