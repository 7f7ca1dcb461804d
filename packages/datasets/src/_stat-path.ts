import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { unreadable } from './_read-errors.ts';
import { DatasetError } from './dataset-error.ts';

/** What lies at a path; `NOT_FOUND` when nothing does. */
export async function statPath(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Refuses a folder, and what can be read only once, such as a pipe: every file is read more than once. */
export async function checkRegularFile(path: string): Promise<void> {
  const found = await statPath(path);
  if (found.isDirectory()) throw folderInstead(path);
  if (found.isFile()) return;
  throw new DatasetError('SOURCE', `${path} is no regular file; write its content into one first`);
}

/** A folder where a file was asked for. */
function folderInstead(path: string): DatasetError {
  return new DatasetError('SOURCE', `${path} is a folder; open it as one, or name a file in it`);
}
