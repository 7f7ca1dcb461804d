import { dirname } from 'node:path';
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
  const failure = error as NodeJS.ErrnoException;
  if (failure.code === 'ENOSPC' || failure.code === 'EDQUOT') return diskFull(folder, failure);
  const advice =
    boundary === 'config'
      ? 'Choose another one with --run-dir'
      : 'What was written is kept: mend that and go on with --resume';
  const message = `The run directory ${folder} cannot be used: ${reasonOf(folder, failure)}. ${advice}`;
  return new HermesError(boundary, 'RUN_DIRECTORY', message, { cause: error });
}

function diskFull(folder: string, cause: NodeJS.ErrnoException): HermesError {
  const message = `No space left for the run directory ${folder}. What was written is kept: free some space and go on with --resume`;
  return new HermesError('environment', 'DISK_FULL', message, { cause });
}

/** In words what people meet; anything else as the system says it. */
function reasonOf(
  folder: string,
  { code, message, path = folder, syscall }: NodeJS.ErrnoException,
) {
  const isMake = syscall === 'mkdir';
  const place = isMake ? dirname(path) : path.startsWith(`${folder}/`) ? folder : path;
  if (code === 'EACCES' || code === 'EPERM')
    return `there is no permission to ${isMake ? 'make a folder in' : 'use'} ${place}`;
  if (code === 'EROFS') return `${place} is read-only`;
  if (code === 'ENOENT' && isMake) return `no folder can be made in ${place}`;
  if (code === 'EEXIST') return `something else is in the way at ${path}`;
  if (code === 'ENOTDIR') return `${path} is no folder`;
  return message;
}
