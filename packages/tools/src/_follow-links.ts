import { posix } from 'node:path';
import type { FileResult, FileStat, SandboxFiles } from '@hermes/sandbox';
import { plainPath } from './_paths.ts';

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
    const folder = linkTarget.startsWith('/') ? '' : posix.dirname(current);
    current = plainPath(`${folder}/${linkTarget}`);
  }
  return { ok: false, code: 'FILE_NOT_FOUND', path };
}

/** Where a path really lies, whichever of its folders are links; what is not there is taken as it is spelled. */
export async function realPath(files: SandboxFiles, path: string): Promise<string> {
  const rest = namesOf(path);
  let real = '/';
  let hops = 0;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const next = posix.join(real, name);
    const found = name === '..' || hops >= MAX_HOPS ? null : await files.stat(next);
    const target = found?.ok ? found.value.linkTarget : null;
    if (target === null) {
      real = next;
      continue;
    }
    hops += 1;
    rest.unshift(...namesOf(target));
    if (target.startsWith('/')) real = '/';
  }
  return real;
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
