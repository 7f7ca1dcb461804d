import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder with all that is in it, folders without any permission included. An absent one is no error. Never follows links. */
export async function removeTree(path: string): Promise<void> {
  if (await removed(path)) return;
  await openFolders(path);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

async function removed(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true });
    return true;
  } catch {
    // Some folder could not be read or changed: its permissions are opened, and the second try reports.
    return false;
  }
}

async function openFolders(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openFolders(join(path, name));
}
