import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ByteChannel } from '../types.ts';

/** A child whose three standard streams are pipes. */
export type PipedChild = ChildProcess &
  Readonly<{ stdin: Writable; stdout: Readable; stderr: Readable }>;

/**
 * The standard streams of a started process as a channel. `write` resolves once the pipe took the bytes.
 * `destroy` closes the streams; `onDestroy` says what else ends with the channel (a supervisor does not).
 */
export function createByteChannel(child: PipedChild, onDestroy: () => void): ByteChannel {
  const streams = [child.stdin, child.stdout, child.stderr];
  // Whoever reads or writes sees the failure there; without a listener the process would crash on a closed pipe.
  for (const stream of streams) stream.on('error', () => undefined);
  return {
    stdout: readToEnd(child.stdout),
    stderr: readToEnd(child.stderr),
    write: (bytes) => writeAll(child.stdin, bytes),
    closeWrite: () => new Promise((resolve) => child.stdin.end(() => resolve())),
    closed: endOf(child),
    destroy() {
      for (const stream of streams) stream.destroy();
      onDestroy();
    },
  };
}

/** Ends quietly when the channel was destroyed while somebody read from it. */
async function* readToEnd(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    if (!stream.destroyed) throw error;
  }
}

function writeAll(stream: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function endOf(child: ChildProcess): ByteChannel['closed'] {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, error: error.message }));
    child.once('exit', (exitCode, signal) => {
      resolve({ exitCode, error: signal === null ? null : `ended by ${signal}` });
    });
  });
}
