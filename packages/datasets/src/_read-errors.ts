import { HermesError } from '@hermes/protocol';
import { DatasetError } from './dataset-error.ts';

/** A file that cannot be read, in words. Errors of ours pass through. */
export function unreadable(path: string, error: unknown): HermesError {
  if (HermesError.isInstance(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (isMissing(error)) return missingFile(path, error);
  return new DatasetError('FORMAT', `${path} cannot be read (${reason}); is the file whole?`, {
    cause: error,
  });
}

/** A path with nothing there. */
function missingFile(path: string, cause?: unknown): DatasetError {
  return new DatasetError('NOT_FOUND', `there is no file ${path}; check the path`, { cause });
}

/** A row that cannot be read, with its place. */
export function brokenLine(path: string, line: number, reason: string): DatasetError {
  return new DatasetError('FORMAT', `${path}:${line}: ${reason}; mend or remove the line`, {
    details: { path, line },
  });
}

/** The caller's signal fired, or the dataset was closed. */
export function stopped(doing: string, signal: AbortSignal): HermesError {
  if (HermesError.isInstance(signal.reason)) return signal.reason;
  return new DatasetError('CANCELLED', `${doing} was cancelled`, { cause: signal.reason });
}

function isMissing(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return code === 'ENOENT' || code === 'ENOTDIR';
}
