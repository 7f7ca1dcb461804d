import type { ByteChannel } from '@hermes/sandbox';
import type { ClientChannel } from 'ssh2';
import { ChannelReader } from './channel-reader.ts';
import { ChannelWriter } from './channel-writer.ts';

/** A remote program's streams as a channel. It is closed by the program's end or by that of its connection. */
export function programChannel(stream: ClientChannel): ByteChannel {
  return channelOver(stream, endOfProgram(stream));
}

/** A connection to a port of the host as a channel: it ends well when the server there has closed it. */
export function portChannel(stream: ClientChannel): ByteChannel {
  return channelOver(stream, endOfConnection(stream));
}

function channelOver(stream: ClientChannel, closed: ByteChannel['closed']): ByteChannel {
  const writer = new ChannelWriter(stream, closed);
  const readers = [new ChannelReader(stream), new ChannelReader(stream.stderr)] as const;
  return {
    stdout: readers[0].read(),
    stderr: readers[1].read(),
    write: (bytes) => writer.write(bytes),
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
