import { HermesError } from '@hermes/protocol';
import type { Output } from './context.ts';

/** A stream of the process as an `Output`. What it cannot take any more is dropped; the run goes on. */
export interface ProcessOutput extends Output {
  /** Waits for what was written and gives the stream back. The failure of a write; null = none, or the reader went away. */
  end(): Promise<HermesError | null>;
}

/** The codes of a reader or terminal that is gone: `hermes ... | head -1` is no failure. */
const goneCodes: readonly unknown[] = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

/** Wraps a stream so that a failed write neither throws nor ends the process. name: for the message. */
export function processOutput(stream: NodeJS.WriteStream, name: string): ProcessOutput {
  let failure: NodeJS.ErrnoException | null = null;
  const onError = (error: NodeJS.ErrnoException): void => {
    failure ??= error;
  };
  stream.on('error', onError);
  return {
    write(text) {
      if (failure === null) stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
    async end() {
      if (failure === null) await flush(stream);
      if (failure === null) stream.off('error', onError);
      return failure === null || goneCodes.includes(failure.code)
        ? null
        : writeFailed(name, failure);
    },
  };
}

/** Comes back after the stream's own error event, should there be one. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => setImmediate(resolve));
  });
}

function writeFailed(name: string, cause: NodeJS.ErrnoException): HermesError {
  const message = `${name} cannot be written: ${cause.message}. What was printed is incomplete; hermes report prints the table of a run again`;
  return new HermesError('environment', 'OUTPUT_FAILED', message, { cause });
}
