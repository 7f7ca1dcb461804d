import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder and those above it, one by one: `mkdir` with `recursive` never comes back where the system makes none (`/proc/x`, Node 20). Returns the outermost that it made; null = none. */
export async function makeFolder(folder: string): Promise<string | null> {
  if (await isFolder(folder)) return null;
  const above = await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
    return above ?? folder;
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
    return above; // another process was faster
  }
}

/** False: there is nothing. Throws ENOTDIR for what is there and no folder. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (found === null || found.isDirectory()) return found !== null;
  const message = `ENOTDIR: not a directory, stat '${path}'`;
  throw Object.assign(new Error(message), { code: 'ENOTDIR', syscall: 'stat', path });
}
