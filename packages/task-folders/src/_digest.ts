import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** sha256 over the sorted names and contents of all files below `dir`. Modes and times do not count: a checkout changes them. */
export async function digestFolder(dir: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listFiles(dir, '')) {
    const content = file.isLink
      ? Buffer.from(`link ${await readlink(join(dir, file.path))}`)
      : await readFile(join(dir, file.path));
    hash.update(`${file.path}\0${content.length}\0`).update(content);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** A file of a folder. path: relative, with `/`. */
export type FoundFile = Readonly<{ path: string; isLink: boolean }>;

/** All files and links below `dir`, sorted by path. */
export async function listFiles(dir: string, prefix: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const entry of await readdir(join(dir, prefix), { withFileTypes: true })) {
    const path = posix.join(prefix, entry.name);
    if (entry.isDirectory()) found.push(...(await listFiles(dir, path)));
    else if (entry.isFile() || entry.isSymbolicLink())
      found.push({ path, isLink: entry.isSymbolicLink() });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
