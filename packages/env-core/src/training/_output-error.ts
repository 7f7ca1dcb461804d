import { HermesError } from '@hermes/protocol';

/** Runs work on an output file; what the system refuses becomes a HermesError that names the file. */
export async function withOutputErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw HermesError.isInstance(error) ? error : outputError(path, error);
  }
}

function outputError(path: string, error: unknown): HermesError {
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const what = isFull
    ? `No space left for ${path}`
    : `The file ${path} cannot be written: ${message}`;
  const advice = 'What was written is kept: mend that and go on with --resume';
  return new HermesError('data', isFull ? 'DISK_FULL' : 'TRAINING_FILE', `${what}. ${advice}`, {
    cause: error,
  });
}
