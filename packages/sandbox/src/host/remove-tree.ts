import { randomUUID } from 'node:crypto';
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes a folder with all that is in it: also folders without any permission, and trees that lie deeper than one path can name. An absent one
 * is no error. Never follows links.
 */
export async function removeTree(path: string): Promise<void> {
  if (await removed(path)) return;
  await openFolders(path, Buffer.from(path));
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

async function removed(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true });
    return true;
  } catch {
    // Some folder could not be read, changed or named: that is mended, and the second try reports.
    return false;
  }
}

/** Half of the longest path of Linux, so that any name may follow. */
const LONGEST_PATH_BYTES = 2048;

/** Paths are bytes here: a name need not be text. */
async function openFolders(root: string, path: Buffer): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  const folder = path.length > LONGEST_PATH_BYTES ? await lift(root, path) : path;
  for (const name of await readdir(folder, { encoding: 'buffer' }))
    await openFolders(root, Buffer.concat([folder, Buffer.from('/'), name]));
}

/** Puts a deep folder to the top of the tree, where what is in it has short paths again. */
async function lift(root: string, path: Buffer): Promise<Buffer> {
  const top = Buffer.from(join(root, `deep-${randomUUID()}`));
  await rename(path, top);
  return top;
}
