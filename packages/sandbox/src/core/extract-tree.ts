import { constants } from 'node:fs';
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  rm,
  symlink,
  utimes,
} from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { FileCode, FileResult } from '../types.ts';
import type { TarEntry } from './tar-header.ts';
import { readTar, type TarItem } from './tar-reader.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Why an archive is refused, with the entry's name. */
class Refusal extends Error {
  readonly code: FileCode;
  readonly path: string;

  constructor(code: FileCode, path: string) {
    super(`${code}: ${path}`);
    this.code = code;
    this.path = path;
  }
}

/**
 * Unpacks an archive that may be hostile below `localDir`. Links are made as links and never followed; an entry
 * that is absolute, climbs with `..`, is a device, or would be written through a link is PATH_ESCAPE, and what
 * is there by then stays. Throws when the archive is broken or the disk fails.
 */
export async function extractTree(
  archive: AsyncIterable<Uint8Array>,
  localDir: string,
  maxBytes: number,
): Promise<FileResult<null>> {
  try {
    await new Extraction(localDir, maxBytes).run(archive);
    return { ok: true, value: null };
  } catch (cause) {
    if (cause instanceof Refusal) return { ok: false, code: cause.code, path: cause.path };
    if (isCode(cause, 'ENOSPC')) return { ok: false, code: 'NO_SPACE', path: localDir };
    throw cause;
  }
}

class Extraction {
  readonly #root: string;
  readonly #folders = new Set<string>(['']);
  readonly #modes = new Map<string, number>();
  #left: number;

  constructor(root: string, maxBytes: number) {
    this.#root = root;
    this.#left = maxBytes;
  }

  async run(archive: AsyncIterable<Uint8Array>): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    for await (const item of readTar(archive)) await this.#put(item);
    for (const [path, mode] of [...this.#modes].reverse()) await chmod(path, mode);
  }

  async #put({ entry, body }: TarItem): Promise<void> {
    const name = safeName(entry.name, entry.name);
    if (entry.type === 'other') throw new Refusal('PATH_ESCAPE', entry.name);
    if (entry.type === 'directory') return this.#putFolder(name, entry);
    if (name === '') throw new Refusal('PATH_ESCAPE', entry.name);
    await this.#makeFolder(posix.dirname(`/${name}`).slice(1), entry.name);
    const path = join(this.#root, name);
    await this.#makeRoom(path, entry.name);
    if (entry.type === 'link') await symlink(entry.linkTarget, path);
    else if (entry.type === 'hardlink') await this.#putHardLink(path, entry);
    else await this.#putFile(path, entry, body);
  }

  /** Modes of folders come last: one without write permission could not be filled. */
  async #putFolder(name: string, entry: TarEntry): Promise<void> {
    await this.#makeFolder(name, entry.name);
    if (name !== '') this.#modes.set(join(this.#root, name), entry.mode);
  }

  async #putHardLink(path: string, entry: TarEntry): Promise<void> {
    const target = safeName(entry.linkTarget, entry.name);
    await this.#makeFolder(posix.dirname(`/${target}`).slice(1), entry.name);
    await link(join(this.#root, target), path);
  }

  async #putFile(path: string, entry: TarEntry, body: AsyncIterable<Uint8Array>): Promise<void> {
    this.#left -= entry.size;
    if (this.#left < 0) throw new Refusal('FILE_TOO_LARGE', entry.name);
    const file = await open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
    try {
      for await (const chunk of body) await writeAll(file, chunk);
      await file.chmod(entry.mode & 0o777);
    } finally {
      await file.close();
    }
    const time = entry.mtimeMs / 1000;
    await utimes(path, time, time);
  }

  /** Makes a folder and those above it, one by one, so that none of them is a link. */
  async #makeFolder(name: string, entryName: string): Promise<void> {
    if (this.#folders.has(name)) return;
    await this.#makeFolder(posix.dirname(`/${name}`).slice(1), entryName);
    const path = join(this.#root, name);
    const stat = await lstat(path).catch(() => null);
    if (stat === null) await mkdir(path, 0o700);
    else if (!stat.isDirectory()) throw new Refusal('PATH_ESCAPE', entryName);
    if (stat === null) this.#modes.set(path, 0o755);
    this.#folders.add(name);
  }

  async #makeRoom(path: string, entryName: string): Promise<void> {
    const stat = await lstat(path).catch(() => null);
    if (stat === null) return;
    if (stat.isDirectory()) throw new Refusal('ALREADY_EXISTS', entryName);
    await rm(path);
  }
}

/** The name without `.` parts and without a slash at its end; refused when it leads out. */
function safeName(name: string, entryName: string): string {
  const parts = name.split('/');
  if (name.startsWith('/') || name.includes('\0') || parts.includes('..'))
    throw new Refusal('PATH_ESCAPE', entryName);
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; )
    done += (await file.write(chunk, done, chunk.length - done)).bytesWritten;
}

function isCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code;
}
