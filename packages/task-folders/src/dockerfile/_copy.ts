import { lstat, readdir } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import type { CopiedFile } from '../types.ts';
import { copyWords } from './_copy-words.ts';
import { NotSimple, NoWorkdirYet, type Scope } from './_words.ts';

/** Where a COPY stands: the build context, the working directory and the folders made so far (it adds its own). */
export type CopyContext = Readonly<{
  contextDir: string;
  workdir: string | null;
  directories: Set<string>;
}>;

/** The files one COPY brings. */
export async function planCopy(
  rest: string,
  scope: Scope,
  context: CopyContext,
): Promise<CopiedFile[]> {
  const { mode, list } = copyWords(rest, scope);
  const target = list.at(-1);
  const patterns = list.slice(0, -1);
  if (target === undefined || patterns.length === 0)
    throw new NotSimple('COPY needs a source and a target');
  const sources = (
    await Promise.all(patterns.map((one) => expand(one, context.contextDir)))
  ).flat();
  const path = absolute(target, context.workdir);
  const isFolder = /(^|\/)\.?$/.test(target) || sources.length > 1 || context.directories.has(path);
  const plans: CopiedFile[] = [];
  for (const source of sources)
    plans.push(...(await planSource(source, path, isFolder, mode, context)));
  return plans;
}

/** A path in the sandbox, made absolute from the working directory. */
export function absolute(path: string, workdir: string | null): string {
  if (!path.startsWith('/') && workdir === null)
    throw new NoWorkdirYet('a relative path before any WORKDIR');
  return posix.resolve(workdir ?? '/', path);
}

async function expand(pattern: string, contextDir: string): Promise<string[]> {
  const clean = posix.normalize(`/${pattern}`).slice(1).replace(/\/$/, '');
  let found = [''];
  for (const part of clean.split('/').filter((one) => one !== '')) {
    found = (
      await Promise.all(found.map((dir) => matching(join(contextDir, dir), dir, part)))
    ).flat();
  }
  if (found.length === 0)
    throw new NotSimple(`COPY ${pattern}: nothing of that name in the environment folder`);
  return found.map((one) => join(contextDir, one));
}

async function matching(folder: string, prefix: string, part: string): Promise<string[]> {
  const info = await lstat(folder);
  if (info.isSymbolicLink()) throw new NotSimple(`COPY through the link ${prefix}`);
  const names = info.isDirectory() ? (await readdir(folder)).sort() : [];
  if (!/[*?[\\]/.test(part)) return names.includes(part) ? [posix.join(prefix, part)] : [];
  if (/[[\\]/.test(part)) throw new NotSimple(`COPY with the pattern ${part}`);
  const expression = part
    .replace(/[.+^${}()|]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return names
    .filter((name) => new RegExp(`^${expression}$`, 's').test(name))
    .map((name) => posix.join(prefix, name));
}

async function planSource(
  source: string,
  path: string,
  isFolder: boolean,
  mode: number | null,
  context: CopyContext,
): Promise<CopiedFile[]> {
  const info = await lstat(source);
  if (info.isDirectory()) return planFolder(source, path, mode, context);
  if (!info.isFile()) throw new NotSimple(`COPY ${basename(source)}: no regular file`);
  const target = isFolder ? posix.join(path, basename(source)) : path;
  addFolders(posix.dirname(target), context.directories);
  return [{ source, path: target, mode: mode ?? info.mode & 0o777 }];
}

async function planFolder(
  source: string,
  path: string,
  mode: number | null,
  context: CopyContext,
): Promise<CopiedFile[]> {
  addFolders(path, context.directories);
  const plans: CopiedFile[] = [];
  for (const name of (await readdir(source)).sort()) {
    const inner = join(source, name);
    plans.push(...(await planSource(inner, posix.join(path, name), false, mode, context)));
  }
  return plans;
}

/** Notes a folder and those above it. */
export function addFolders(path: string, directories: Set<string>): void {
  for (let folder = path; folder !== '/'; folder = posix.dirname(folder)) directories.add(folder);
}
