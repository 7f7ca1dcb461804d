import { posix } from 'node:path';
import type { Sandbox } from '@hermes/sandbox';
import { fileErrorText } from '../_file-errors.ts';
import { statFollowingLinks } from '../_follow-links.ts';
import type { SearchFailure } from './run-search.ts';

/** root: a folder. only: the one file in it to search, one character a byte; null: all. */
export type SearchPlace = Readonly<{
  root: string;
  only: string | null;
  name: (path: string) => string;
}>;

/** Where a path leads: a folder, or one file. */
export async function placeOf(
  sandbox: Sandbox,
  path: string,
  spelled: string,
): Promise<SearchPlace | SearchFailure> {
  if (!sandbox.capabilities.shell) {
    return { code: 'UNSUPPORTED', error: 'This sandbox has no shell to search with' };
  }
  const found = await statFollowingLinks(sandbox.files, path);
  if (!found.ok) return { code: found.code, error: fileErrorText(found.code, spelled) };
  const { type, path: real } = found.value;
  if (type === 'directory') {
    return { root: real, only: null, name: (below) => posix.join(spelled, below) };
  }
  if (type !== 'file')
    return { code: 'DEVICE_FILE', error: `Cannot search in ${spelled}: it is no file or folder` };
  const only = Buffer.from(posix.basename(real)).toString('latin1');
  return { root: posix.dirname(real), only, name: () => spelled };
}
