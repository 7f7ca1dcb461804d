import { posix } from 'node:path';
import type { FileResult, FileStat, SandboxFiles } from '@hermes/sandbox';

const MAX_HOPS = 40;

/** The stat of what a path finally leads to; its `path` is where that really lies. */
export async function statFollowingLinks(
  files: SandboxFiles,
  path: string,
): Promise<FileResult<FileStat>> {
  let current = path;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const found = await files.stat(current);
    if (!found.ok) return found;
    const { type, linkTarget } = found.value;
    if (type !== 'link' || linkTarget === null) {
      return { ok: true, value: { ...found.value, path: current } };
    }
    current = linkTarget.startsWith('/') ? linkTarget : `${posix.dirname(current)}/${linkTarget}`;
  }
  return { ok: false, code: 'FILE_NOT_FOUND', path };
}
