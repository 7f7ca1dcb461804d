import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The sizes of all files at or below a path, links not followed; 0 where there is nothing. */
export async function treeBytes(path: string): Promise<number> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null || !stat.isDirectory()) return stat?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(path)) bytes += await treeBytes(join(path, name));
  return bytes;
}
