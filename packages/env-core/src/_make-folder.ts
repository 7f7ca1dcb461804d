import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder and those above it, one by one: `mkdir` with `recursive` never comes back where the system makes none (`/proc/x`, Node 20). */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
  } catch (error) {
    if (!(await isFolder(folder))) throw error; // else another process was faster
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
