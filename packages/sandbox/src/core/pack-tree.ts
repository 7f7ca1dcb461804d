import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { TAR_BLOCK, type TarEntry, tarHeader, tarPadding } from './tar-header.ts';

const END_OF_ARCHIVE = Buffer.alloc(2 * TAR_BLOCK);

/** A local folder as a tar archive: modes kept, links as links, sockets and devices left out. */
export async function* packTree(localDir: string): AsyncGenerator<Uint8Array> {
  yield* packFolder(localDir, '');
  yield END_OF_ARCHIVE;
}

async function* packFolder(localDir: string, prefix: string): AsyncGenerator<Uint8Array> {
  const names = await readdir(localDir);
  for (const name of names.sort()) yield* packEntry(join(localDir, name), `${prefix}${name}`);
}

async function* packEntry(localPath: string, name: string): AsyncGenerator<Uint8Array> {
  const stat = await lstat(localPath);
  const common = { mode: stat.mode, mtimeMs: stat.mtimeMs, size: 0, linkTarget: '' };
  if (stat.isDirectory()) {
    yield tarHeader({ ...common, name: `${name}/`, type: 'directory' });
    yield* packFolder(localPath, `${name}/`);
  } else if (stat.isSymbolicLink()) {
    yield tarHeader({ ...common, name, type: 'link', linkTarget: await readlink(localPath) });
  } else if (stat.isFile()) {
    yield* packFile(localPath, { ...common, name, type: 'file', size: stat.size });
  }
}

/** The header has named a size, so a file that grows meanwhile is cut and one that shrinks is an error. */
async function* packFile(localPath: string, entry: TarEntry): AsyncGenerator<Uint8Array> {
  yield tarHeader(entry);
  if (entry.size === 0) return;
  let left = entry.size;
  const bytes = createReadStream(localPath, { end: entry.size - 1, highWaterMark: 262_144 });
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new Error(`upload ${localPath}: it became shorter while it was read`);
  yield Buffer.alloc(tarPadding(entry.size));
}
