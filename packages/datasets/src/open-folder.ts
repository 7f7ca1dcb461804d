import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { digestFile, digestList } from './_digest.ts';
import { unreadable } from './_read-errors.ts';
import { statPath } from './_stat-path.ts';
import { DatasetError } from './dataset-error.ts';
import type { LocalFiles } from './open-file.ts';
import { hasRowFormat, rowFormat } from './row-formats.ts';
import type { FolderSource } from './types.ts';

/** All files of rows below a folder, in the order of their paths; other and hidden files are left out. */
export async function openFolder(source: FolderSource, signal: AbortSignal): Promise<LocalFiles> {
  const names = await listRowFiles(source.path);
  const digests: [string, string][] = [];
  for (const name of names) digests.push([name, await digestFile(join(source.path, name), signal)]);
  const files = names.map((name) => {
    const path = join(source.path, name);
    return { path, label: path, columns: source.columns };
  });
  return { files, revision: digestList(digests) };
}

async function listRowFiles(folder: string): Promise<string[]> {
  if (!(await statPath(folder)).isDirectory()) {
    rowFormat(folder);
    throw new DatasetError('SOURCE', `${folder} is a file; open it as one`);
  }
  const names = (await listFiles(folder)).filter((name) => hasRowFormat(name) && !isHidden(name));
  if (names.length > 0) return names.sort((one, other) => (one < other ? -1 : 1));
  throw new DatasetError('NOT_FOUND', `the folder ${folder} has no file of rows; check the path`);
}

/** Paths with `/`, so that a folder has the same order and digest on every system. */
async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  } catch (error) {
    throw unreadable(folder, error);
  }
}

function isHidden(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.'));
}
