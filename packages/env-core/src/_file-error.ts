import { HermesError } from '@hermes/protocol';

/** Runs work on the files of a run directory; what the system refuses becomes a HermesError that names the folder. */
export async function withFileErrors<T>(
  boundary: 'config' | 'environment',
  folder: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(boundary, folder, error);
  }
}

/** config: while it is opened. environment: while the run writes. */
export function fileError(
  boundary: 'config' | 'environment',
  folder: string,
  error: unknown,
): HermesError {
  if (HermesError.isInstance(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new HermesError(
    isFull ? 'environment' : boundary,
    isFull ? 'DISK_FULL' : 'RUN_DIRECTORY',
    isFull
      ? `No space left for the run directory ${folder}. What was written is kept: free some space and go on with --resume`
      : `The run directory ${folder} cannot be used: ${message}`,
    { cause: error },
  );
}
