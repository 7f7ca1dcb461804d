import type { FileResult } from '../types.ts';
import type { TransferFrame } from './file-frames.ts';
import type { Download } from './file-get.ts';
import type { FileTransport } from './file-transport.ts';

/** A file, or a tree's archive, as it comes. A slow reader holds the sender back; a reader that stops early lets the rest pass by. */
export async function openFileStream(
  transport: FileTransport,
  path: string,
  request: Partial<TransferFrame> = {},
): Promise<FileResult<AsyncIterable<Uint8Array>>> {
  const pipe = new Pipe();
  const download = await transport.get(
    { path, form: 'file', ...request },
    { begin: () => undefined, data: (chunk) => pipe.push(chunk) },
  );
  download.done.then(
    () => pipe.end(null),
    (cause) => pipe.end(cause),
  );
  const reply = await download.reply;
  return reply.ok ? { ok: true, value: pipe.read(download) } : reply;
}

class Pipe {
  #queue: Buffer[] = [];
  #open = true;
  #ended: { cause: unknown } | null = null;
  #wake: () => void = () => undefined;

  /** True when the chunk is not kept. */
  push(chunk: Buffer): boolean {
    if (!this.#open) return true;
    this.#queue.push(chunk);
    this.#wake();
    return false;
  }

  end(cause: unknown): void {
    this.#ended = { cause };
    this.#wake();
  }

  async *read(download: Download): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#queue.shift();
        if (chunk !== undefined) {
          download.consumed(chunk.length);
          yield chunk;
        } else if (this.#ended === null) await this.#more();
        else if (this.#ended.cause === null) return;
        else throw this.#ended.cause;
      }
    } finally {
      this.#open = false;
      for (const chunk of this.#queue.splice(0)) download.consumed(chunk.length);
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
