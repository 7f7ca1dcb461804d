import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { FileResult } from '../types.ts';
import { failed, found } from './_results.ts';
import {
  addDirectory,
  childNames,
  fileAmongParents,
  resolvePath,
  type Tree,
  typeAt,
} from './_tree.ts';

/** Copies a folder of the host into the tree: links as links, devices and sockets refused. */
export async function uploadFrom(
  tree: Tree,
  localDir: string,
  path: string,
  nowMs: number,
): Promise<FileResult<null>> {
  const resolved = resolvePath(tree, path);
  if (resolved === null) return failed('FILE_NOT_FOUND', path);
  if (tree.files.has(resolved) || fileAmongParents(tree, resolved) !== null) {
    return failed('NOT_A_DIRECTORY', path);
  }
  const source = await lstat(localDir).catch(() => null);
  if (source === null) return failed('FILE_NOT_FOUND', localDir);
  if (!source.isDirectory()) return failed('NOT_A_DIRECTORY', localDir);
  return uploadDirectory(tree, localDir, resolved, nowMs);
}

async function uploadDirectory(
  tree: Tree,
  localDir: string,
  path: string,
  nowMs: number,
): Promise<FileResult<null>> {
  addDirectory(tree, path);
  const { mode } = await lstat(localDir);
  tree.metadata.set(path, { mode: mode & 0o7777, mtimeMs: nowMs });
  for (const name of await readdir(localDir)) {
    const result = await uploadEntry(tree, join(localDir, name), posix.join(path, name), nowMs);
    if (!result.ok) return result;
  }
  return found(null);
}

async function uploadEntry(
  tree: Tree,
  local: string,
  path: string,
  nowMs: number,
): Promise<FileResult<null>> {
  const stats = await lstat(local);
  if (stats.isDirectory()) return uploadDirectory(tree, local, path, nowMs);
  if (typeAt(tree, path) === 'directory') return failed('IS_A_DIRECTORY', path);
  tree.files.delete(path);
  tree.links.delete(path);
  if (stats.isSymbolicLink()) {
    tree.links.set(path, await readlink(local));
    return found(null);
  }
  if (!stats.isFile()) return failed('PATH_ESCAPE', local);
  tree.files.set(path, new Uint8Array(await readFile(local)));
  tree.metadata.set(path, { mode: stats.mode & 0o7777, mtimeMs: nowMs });
  return found(null);
}

/** Copies a folder of the tree to the host, links as links. Refused before the first byte when it is too large. */
export async function downloadInto(
  tree: Tree,
  path: string,
  localDir: string,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<FileResult<null>> {
  const resolved = resolvePath(tree, path);
  const type = resolved === null ? null : typeAt(tree, resolved);
  if (resolved === null || type === null) return failed('FILE_NOT_FOUND', path);
  if (type !== 'directory') return failed('NOT_A_DIRECTORY', path);
  if (sizeBelow(tree, resolved) > maxBytes) return failed('FILE_TOO_LARGE', path);
  await downloadDirectory(tree, resolved, localDir);
  return found(null);
}

function sizeBelow(tree: Tree, directory: string): number {
  let total = 0;
  for (const [path, bytes] of tree.files) {
    if (path.startsWith(directory === '/' ? '/' : `${directory}/`)) total += bytes.length;
  }
  return total;
}

async function downloadDirectory(tree: Tree, path: string, localDir: string): Promise<void> {
  await mkdir(localDir, { recursive: true });
  for (const name of childNames(tree, path)) {
    await downloadEntry(tree, posix.join(path, name), join(localDir, name));
  }
  const mode = tree.metadata.get(path)?.mode;
  if (mode !== undefined) await chmod(localDir, mode);
}

async function downloadEntry(tree: Tree, path: string, local: string): Promise<void> {
  const target = tree.links.get(path);
  if (target !== undefined) return symlink(target, local);
  const bytes = tree.files.get(path);
  if (bytes === undefined) return downloadDirectory(tree, path, local);
  await writeFile(local, bytes);
  await chmod(local, tree.metadata.get(path)?.mode ?? 0o644);
}
