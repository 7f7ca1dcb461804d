import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { HermesError } from '@hermes/protocol';
import { taskError } from './_task-error.ts';

/** sha256 over the sorted names and contents of all files below `dir`. Modes and times do not count: a checkout changes them. */
export async function digestFolder(dir: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listFiles(dir, '')) {
    const content = await contentOf(join(dir, file.path), file.isLink);
    hash.update(`${file.path}\0${content.length}\0`).update(content);
  }
  return `sha256:${hash.digest('hex')}`;
}

async function contentOf(path: string, isLink: boolean): Promise<Buffer> {
  try {
    return isLink ? Buffer.from(`link ${await readlink(path)}`) : await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): HermesError {
  return taskError(path, error instanceof Error ? error.message : String(error), error);
}

/** A file of a folder. path: relative, with `/`. */
export type FoundFile = Readonly<{ path: string; isLink: boolean }>;

/** All files and links below `dir`, sorted by path; pipes and devices are left out. Throws TASK for a folder that cannot be read. */
export async function listFiles(dir: string, prefix: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const entry of await listFolder(join(dir, prefix))) {
    const path = posix.join(prefix, entry.name);
    if (entry.isDirectory()) found.push(...(await listFiles(dir, path)));
    else if (entry.isFile() || entry.isSymbolicLink())
      found.push({ path, isLink: entry.isSymbolicLink() });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function listFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    throw unreadable(path, error);
  }
}
