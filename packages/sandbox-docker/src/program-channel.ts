import type { Duplex } from 'node:stream';
import type { ByteChannel } from '@hermes/sandbox';
import { Demultiplexer } from './demultiplexer.ts';
import { TextTail } from './text-tail.ts';

/**
 * The streams of a program in a container as a channel. Reading stdout drives both: of stderr, a few words of a supervisor,
 * the end is kept. exitCode: asked once after the connection has ended; null: not known.
 */
export function programChannel(
  connection: Duplex,
  exitCode: () => Promise<number | null>,
): ByteChannel {
  const errors = new TextTail();
  // Whoever reads or writes sees the failure there; without a listener the process would crash on a broken connection.
  connection.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
  void closed.then(() => errors.end());
  return {
    stdout: readStdout(connection, errors),
    stderr: errors.read(),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        connection.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    closeWrite: () => new Promise((resolve) => connection.end(() => resolve())),
    closed: closed.then(async () => ({
      exitCode: await exitCode().catch(() => null),
      error: null,
    })),
    destroy: () => void connection.destroy(),
  };
}

/** Ends quietly when the channel was destroyed while somebody read from it. */
async function* readStdout(connection: Duplex, errors: TextTail): AsyncGenerator<Uint8Array> {
  const demultiplexer = new Demultiplexer();
  try {
    for await (const chunk of connection)
      for (const { stream, bytes } of demultiplexer.decode(chunk as Buffer))
        if (stream === 'stdout') yield bytes;
        else errors.add(bytes);
  } catch (error) {
    if (!connection.destroyed) throw error;
  }
}
