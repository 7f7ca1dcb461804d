import { access, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { TokenizerError } from './tokenizer-error.ts';

/** A model on the hub. */
export type HubModel = Readonly<{ hub: string; revision?: string }>;

/**
 * The folder of a model in the cache that Python's `huggingface_hub` and this package share. Nothing
 * is downloaded.
 */
export async function hubSnapshot(
  { hub, revision = 'main' }: HubModel,
  cacheDir: string = join(homedir(), '.cache', 'huggingface', 'hub'),
): Promise<string> {
  if (!isName(hub, 1, 2) || !isName(revision, 1, 9))
    throw new TokenizerError(
      'SOURCE',
      `"${hub}" at "${revision}" is no name of a model on the hub`,
    );
  const root = join(cacheDir, `models--${hub.replace('/', '--')}`);
  const commit = await commitOf(root, revision);
  const folder = join(root, 'snapshots', commit);
  if (await isThere(folder)) return folder;
  throw new TokenizerError(
    'NOT_FOUND',
    `${hub} at ${revision} is not in the cache ${cacheDir}; get it with "hf download ${hub}"`,
  );
}

/** Parts between slashes that cannot lead out of the cache's folder. */
function isName(text: string, fewest: number, most: number): boolean {
  const parts = text.split('/');
  const areSafe = parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part));
  return areSafe && parts.length >= fewest && parts.length <= most;
}

/** A revision that is no branch or tag of the cache can only be a commit. */
async function commitOf(root: string, revision: string): Promise<string> {
  const path = join(root, 'refs', revision);
  return (await isThere(path)) ? (await readFile(path, 'utf8')).trim() : revision;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
