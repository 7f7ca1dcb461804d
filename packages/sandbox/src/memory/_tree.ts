import { posix } from 'node:path';

type Metadata = Readonly<{ mode: number; mtimeMs: number }>;

/**
 * A sandbox's whole file system. `files` is the truth about contents and is what a scripted command may change;
 * a file that only stands there has default metadata, and its parents exist by implication.
 */
export type Tree = Readonly<{
  files: Map<string, Uint8Array>;
  directories: Set<string>;
  links: Map<string, string>;
  metadata: Map<string, Metadata>;
}>;

export type NodeType = 'file' | 'directory' | 'link';

const maximumLinks = 40;

/** An empty tree with one folder. */
export function createTree(workdir: string): Tree {
  return {
    files: new Map(),
    directories: new Set([workdir]),
    links: new Map(),
    metadata: new Map(),
  };
}

/** What stands at a resolved path; null when nothing does. */
export function typeAt(tree: Tree, path: string): NodeType | null {
  if (tree.files.has(path)) return 'file';
  if (tree.links.has(path)) return 'link';
  if (path === '/' || tree.directories.has(path)) return 'directory';
  return below(tree, path).next().done ? null : 'directory';
}

/** Every stored path under a folder, folders that are only implied left out. */
function* below(tree: Tree, directory: string): Generator<string> {
  const prefix = directory === '/' ? '/' : `${directory}/`;
  for (const keys of [tree.files.keys(), tree.links.keys(), tree.directories]) {
    for (const path of keys) if (path.startsWith(prefix) && path !== directory) yield path;
  }
}

/** The names that stand directly in a folder, sorted. */
export function childNames(tree: Tree, directory: string): string[] {
  const prefix = directory === '/' ? 1 : directory.length + 1;
  const names = new Set<string>();
  for (const path of below(tree, directory)) names.add(path.slice(prefix).split('/', 1)[0] ?? '');
  return [...names].sort();
}

/**
 * The path with every link on the way followed (the last name too unless `followLast` is false), or null when the
 * links go round in a circle. Parents are not required to exist.
 */
export function resolvePath(tree: Tree, path: string, followLast = true): string | null {
  const pending = path.split('/').filter((name) => name !== '');
  let resolved = '/';
  let followed = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    const next = posix.join(resolved, name);
    const target = tree.links.get(next);
    if (target === undefined || (pending.length === 0 && !followLast)) {
      resolved = next;
      continue;
    }
    followed += 1;
    if (followed > maximumLinks) return null;
    if (target.startsWith('/')) resolved = '/';
    pending.unshift(...target.split('/').filter((part) => part !== ''));
  }
  return resolved;
}

/** The nearest ancestor that is a file, which makes the path impossible; null when there is none. */
export function fileAmongParents(tree: Tree, path: string): string | null {
  for (let parent = posix.dirname(path); parent !== '/'; parent = posix.dirname(parent)) {
    if (tree.files.has(parent)) return parent;
  }
  return null;
}

/** Makes a folder and its parents. */
export function addDirectory(tree: Tree, path: string): void {
  for (let next = path; next !== '/'; next = posix.dirname(next)) tree.directories.add(next);
}

/** Removes whatever stands at a path, with all below it. */
export function removeAll(tree: Tree, path: string): void {
  for (const victim of [path, ...below(tree, path)]) {
    tree.files.delete(victim);
    tree.links.delete(victim);
    tree.directories.delete(victim);
    tree.metadata.delete(victim);
  }
}

/** Moves whatever stands at a path, with all below it, over what stood at the target. */
export function moveAll(tree: Tree, from: string, to: string): void {
  for (const path of [from, ...below(tree, from)])
    moveOne(tree, path, to + path.slice(from.length));
}

function moveOne(tree: Tree, from: string, to: string): void {
  moveEntry(tree.files, from, to);
  moveEntry(tree.links, from, to);
  moveEntry(tree.metadata, from, to);
  if (tree.directories.delete(from)) tree.directories.add(to);
}

function moveEntry<Value>(map: Map<string, Value>, from: string, to: string): void {
  const value = map.get(from);
  map.delete(to);
  if (value === undefined) return;
  map.delete(from);
  map.set(to, value);
}
