import type { ByteChannel } from '@hermes/sandbox';
import type { ClientChannel } from 'ssh2';
import { ChannelReader } from './channel-reader.ts';

/** A remote program's streams as a channel. It is closed by the program's end or by that of its connection. */
export function programChannel(stream: ClientChannel): ByteChannel {
  return channelOver(stream, endOfProgram(stream));
}

/** A connection to a port of the host as a channel: it ends well when the server there has closed it. */
export function portChannel(stream: ClientChannel): ByteChannel {
  return channelOver(stream, endOfConnection(stream));
}

function channelOver(stream: ClientChannel, closed: ByteChannel['closed']): ByteChannel {
  const readers = [new ChannelReader(stream), new ChannelReader(stream.stderr)] as const;
  return {
    stdout: readers[0].read(),
    stderr: readers[1].read(),
    write: (bytes) => writeAll(stream, bytes, closed),
    closeWrite: () => {
      stream.end();
      return Promise.resolve();
    },
    closed,
    destroy() {
      stream.destroy();
      for (const reader of readers) reader.abandon();
    },
  };
}

function endOfProgram(stream: ClientChannel): ByteChannel['closed'] {
  return new Promise((resolve) => {
    stream.once('exit', (exitCode: number | null, signal?: string) => {
      resolve({ exitCode, error: exitCode === null ? `ended by ${signal ?? 'a signal'}` : null });
    });
    stream.once('close', () => resolve({ exitCode: null, error: 'the connection ended' }));
  });
}

function endOfConnection(stream: ClientChannel): ByteChannel['closed'] {
  return new Promise((resolve) => {
    stream.once('end', () => resolve({ exitCode: 0, error: null }));
    stream.once('close', () => resolve({ exitCode: null, error: 'the connection ended' }));
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
