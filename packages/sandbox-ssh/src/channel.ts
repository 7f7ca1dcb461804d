import type { Readable } from 'node:stream';
import type { ByteChannel } from '@hermes/sandbox';
import type { ClientChannel } from 'ssh2';

/** A remote program's streams as a channel. It is closed by the program's end or by that of its connection. */
export function programChannel(stream: ClientChannel): ByteChannel {
  const closed = endOf(stream);
  const streams = [stream, stream.stderr];
  for (const one of streams) one.on('error', () => undefined);
  let isDestroyed = false;
  return {
    stdout: readToEnd(stream, () => isDestroyed),
    stderr: readToEnd(stream.stderr, () => isDestroyed),
    write: (bytes) => writeAll(stream, bytes, closed),
    closeWrite: () => {
      stream.end();
      return Promise.resolve();
    },
    closed,
    destroy() {
      isDestroyed = true;
      stream.destroy();
      // The library tells of the end only after all was read.
      for (const one of streams) {
        one.emit('abandoned');
        one.removeAllListeners('readable').resume();
      }
    },
  };
}

function endOf(stream: ClientChannel): ByteChannel['closed'] {
  return new Promise((resolve) => {
    stream.once('exit', (exitCode: number | null, signal?: string) => {
      resolve({ exitCode, error: exitCode === null ? `ended by ${signal ?? 'a signal'}` : null });
    });
    stream.once('close', () => resolve({ exitCode: null, error: 'the connection ended' }));
  });
}

/** Chunks as they come. The streams are not destroyed at the end of a reader: they are two of one channel. */
async function* readToEnd(
  stream: Readable,
  isDestroyed: () => boolean,
): AsyncGenerator<Uint8Array> {
  while (!isDestroyed()) {
    const chunk = stream.read() as Buffer | null;
    if (chunk !== null) yield chunk;
    else if (stream.readableEnded) return;
    else await anyOf(stream, ['readable', 'end', 'close', 'abandoned']);
  }
}

function anyOf(stream: Readable, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) stream.removeListener(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}

/** The library forgets what is written to a channel that has closed. */
function writeAll(
  stream: ClientChannel,
  bytes: Uint8Array,
  closed: ByteChannel['closed'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    void closed.then(({ error }) => reject(new Error(error ?? 'the program has ended')));
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
