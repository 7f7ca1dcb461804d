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

/** A folder where a file was asked for. */
export function folderInstead(path: string): DatasetError {
  return new DatasetError('SOURCE', `${path} is a folder; open it as one, or name a file in it`);
}
