import { posix } from 'node:path';
import type { FileResult, FileStat, SandboxFiles } from '../types.ts';
import { collectBytes } from './_bytes.ts';
import { unsupported } from './_errors.ts';
import { failed, found } from './_results.ts';
import type { MemoryState } from './_state.ts';
import { downloadInto, uploadFrom } from './_transfer.ts';
import {
  addDirectory,
  childNames,
  fileAmongParents,
  moveAll,
  removeAll,
  resolvePath,
  type Tree,
  typeAt,
} from './_tree.ts';

const defaultReadLimit = 100 * 1024 * 1024;
const longestName = 255;
const defaultModes = { file: 0o644, directory: 0o755, link: 0o777 } as const;

/** Files that live in memory, with every `FileCode` that such a tree can meet. */
export function createMemoryFiles(state: MemoryState): SandboxFiles {
  const { tree } = state;
  const at = (path: string, user?: string): string => {
    if (user !== undefined && user !== state.info.user) throw unsupported(`files of user ${user}`);
    return posix.resolve(state.info.workdir, path);
  };
  const nowMs = (): number => state.clock.now().wallMs;
  return {
    read: (path, { maxBytes, user } = {}) =>
      state.during(async () => readFile(tree, at(path, user), maxBytes)),
    readStream: (path) => state.during(async () => streamFile(tree, at(path))),
    write: (path, data, { mode, user } = {}) =>
      state.during(async () => {
        const target = at(path, user);
        const bytes = await collectBytes(data);
        state.gone.throwIfAborted();
        return writeFile(tree, target, bytes, mode, nowMs());
      }),
    stat: (path) => state.during(async () => statPath(tree, at(path))),
    list: (path) => state.during(async () => listDirectory(tree, at(path))),
    mkdir: (path) => state.during(async () => makeDirectory(tree, at(path))),
    remove: (path, { recursive = false } = {}) =>
      state.during(async () => removePath(tree, at(path), recursive)),
    rename: (from, to) => state.during(async () => renamePath(tree, at(from), at(to))),
    uploadTree: (localDir, path, { user } = {}) =>
      state.during(async () => uploadFrom(tree, localDir, at(path, user), nowMs())),
    downloadTree: (path, localDir, { maxBytes } = {}) =>
      state.during(async () => downloadInto(tree, at(path), localDir, maxBytes)),
  };
}

function streamFile(tree: Tree, path: string): FileResult<AsyncIterable<Uint8Array>> {
  const result = readFile(tree, path, Number.POSITIVE_INFINITY);
  return result.ok ? found(chunksOf(result.value)) : result;
}

function readFile(tree: Tree, path: string, maxBytes = defaultReadLimit): FileResult<Uint8Array> {
  const resolved = resolvePath(tree, path);
  const problem = resolved === null ? 'FILE_NOT_FOUND' : whyNotReadable(tree, resolved);
  if (resolved === null || problem !== null) return failed(problem ?? 'FILE_NOT_FOUND', path);
  const bytes = tree.files.get(resolved) ?? new Uint8Array();
  return bytes.length > maxBytes ? failed('FILE_TOO_LARGE', path) : found(bytes.slice());
}

function whyNotReadable(tree: Tree, resolved: string) {
  const type = typeAt(tree, resolved);
  if (type === 'directory') return 'IS_A_DIRECTORY';
  if (type === null) return missingCode(tree, resolved);
  const mode = tree.metadata.get(resolved)?.mode ?? defaultModes.file;
  return (mode & 0o400) === 0 ? 'PERMISSION' : null;
}

function missingCode(tree: Tree, resolved: string) {
  return fileAmongParents(tree, resolved) === null ? 'FILE_NOT_FOUND' : 'NOT_A_DIRECTORY';
}

function writeFile(
  tree: Tree,
  path: string,
  bytes: Uint8Array,
  mode: number | undefined,
  nowMs: number,
): FileResult<null> {
  const resolved = resolvePath(tree, path);
  if (resolved === null || !isPossible(path)) return failed('FILE_NOT_FOUND', path);
  if (typeAt(tree, resolved) === 'directory') return failed('IS_A_DIRECTORY', path);
  if (fileAmongParents(tree, resolved) !== null) return failed('NOT_A_DIRECTORY', path);
  const kept = tree.metadata.get(resolved)?.mode ?? defaultModes.file;
  addDirectory(tree, posix.dirname(resolved));
  tree.files.set(resolved, bytes);
  tree.metadata.set(resolved, { mode: mode ?? kept, mtimeMs: nowMs });
  return found(null);
}

function isPossible(path: string): boolean {
  return !path.includes('\0') && path.split('/').every((name) => name.length <= longestName);
}

function statPath(tree: Tree, path: string): FileResult<FileStat> {
  const resolved = resolvePath(tree, path, false);
  const type = resolved === null ? null : typeAt(tree, resolved);
  if (resolved === null || type === null) return failed(missingCode(tree, resolved ?? path), path);
  const metadata = tree.metadata.get(resolved);
  return found({
    path,
    type,
    size: tree.files.get(resolved)?.length ?? 0,
    mode: metadata?.mode ?? defaultModes[type],
    mtimeMs: metadata?.mtimeMs ?? 0,
    linkTarget: tree.links.get(resolved) ?? null,
  });
}

function listDirectory(tree: Tree, path: string): FileResult<readonly FileStat[]> {
  const resolved = resolvePath(tree, path);
  const type = resolved === null ? null : typeAt(tree, resolved);
  if (resolved === null || type === null) return failed(missingCode(tree, resolved ?? path), path);
  if (type !== 'directory') return failed('NOT_A_DIRECTORY', path);
  const stats = childNames(tree, resolved).map((name) =>
    statPath(tree, posix.join(resolved, name)),
  );
  return found(stats.flatMap((stat) => (stat.ok ? [stat.value] : [])));
}

function makeDirectory(tree: Tree, path: string): FileResult<null> {
  const resolved = resolvePath(tree, path);
  if (resolved === null || !isPossible(path)) return failed('FILE_NOT_FOUND', path);
  if (fileAmongParents(tree, resolved) !== null) return failed('NOT_A_DIRECTORY', path);
  if (typeAt(tree, resolved) === 'file') return failed('ALREADY_EXISTS', path);
  addDirectory(tree, resolved);
  return found(null);
}

function removePath(tree: Tree, path: string, recursive: boolean): FileResult<null> {
  const resolved = resolvePath(tree, path, false);
  const type = resolved === null ? null : typeAt(tree, resolved);
  if (resolved === null || type === null) return failed(missingCode(tree, resolved ?? path), path);
  if (type === 'directory' && !recursive) return failed('IS_A_DIRECTORY', path);
  removeAll(tree, resolved);
  addDirectory(tree, posix.dirname(resolved));
  return found(null);
}

function renamePath(tree: Tree, from: string, to: string): FileResult<null> {
  const source = resolvePath(tree, from, false);
  const target = resolvePath(tree, to, false);
  if (source === null || typeAt(tree, source) === null) return failed('FILE_NOT_FOUND', from);
  if (target === null || !isPossible(to)) return failed('FILE_NOT_FOUND', to);
  if (fileAmongParents(tree, target) !== null) return failed('NOT_A_DIRECTORY', to);
  if (source === target) return found(null);
  const obstacle = whyNotReplaceable(tree, source, target);
  if (obstacle !== null) return failed(obstacle, to);
  addDirectory(tree, posix.dirname(target));
  moveAll(tree, source, target);
  addDirectory(tree, posix.dirname(source));
  return found(null);
}

function whyNotReplaceable(tree: Tree, source: string, target: string) {
  if (target.startsWith(`${source}/`)) return 'PATH_ESCAPE';
  if (typeAt(tree, target) !== 'directory') {
    const intoFile = typeAt(tree, source) === 'directory' && typeAt(tree, target) !== null;
    return intoFile ? 'NOT_A_DIRECTORY' : null;
  }
  if (typeAt(tree, source) !== 'directory') return 'IS_A_DIRECTORY';
  return childNames(tree, target).length > 0 ? 'ALREADY_EXISTS' : null;
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 1024 * 1024;
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}
