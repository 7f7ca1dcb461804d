import { join } from 'node:path';

/**
 * Where things lie in the cache, the same for Python's `huggingface_hub`:
 *
 *     datasets--owner--name/blobs/<digest>
 *     datasets--owner--name/refs/<revision>              the commit, as text
 *     datasets--owner--name/snapshots/<commit>/<path>    a link to the blob
 *     datasets--owner--name/trees/<commit>.json          the files of the commit
 *     .locks/datasets--owner--name/
 */
export type CacheLayout = Readonly<{
  root: string;
  blob: (digest: string) => string;
  ref: (revision: string) => string;
  snapshot: (commit: string, path?: string) => string;
  tree: (commit: string) => string;
  lock: (digest: string) => string;
}>;

/** `id`, paths and revisions must have passed the checks of `check-names.ts`. */
export function cacheLayout(cacheDir: string, id: string): CacheLayout {
  const folder = `datasets--${id.replace('/', '--')}`;
  const root = join(cacheDir, folder);
  return {
    root,
    blob: (digest) => join(root, 'blobs', digest),
    ref: (revision) => join(root, 'refs', revision),
    snapshot: (commit, path = '') => join(root, 'snapshots', commit, path),
    tree: (commit) => join(root, 'trees', `${commit}.json`),
    // Python locks a file of this name plus `.lock` with flock, which Node has not
    lock: (digest) => join(cacheDir, '.locks', folder, `${digest}.hermes-lock`),
  };
}
