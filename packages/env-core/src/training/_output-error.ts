import { HermesError } from '@hermes/protocol';

/** data: while the file is opened. environment: while the run writes. */
type Boundary = 'data' | 'environment';

/** Runs work on an output file; what the system refuses becomes a HermesError that names the file. */
export async function withOutputErrors<T>(
  boundary: Boundary,
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw HermesError.isInstance(error) ? error : outputError(boundary, path, error);
  }
}

function outputError(boundary: Boundary, path: string, error: unknown): HermesError {
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const what = isFull
    ? `No space left for ${path}`
    : `The file ${path} cannot be written: ${message}`;
  const advice =
    boundary === 'data'
      ? 'Mend that, or choose another file with --out'
      : 'What was written is kept: mend that and go on with --resume';
  return new HermesError(boundary, isFull ? 'DISK_FULL' : 'TRAINING_FILE', `${what}. ${advice}`, {
    cause: error,
  });
}
