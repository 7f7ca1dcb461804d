import { lstat, readdir, readlink, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';

const FORBIDDEN = /^\/(?:tests|solution|logs\/verifier|proc|dev\/(?:fd|std\w+))(?:\/|$)/;
const MAX_LINKS = 40;

/**
 * Removes every link below `stage`, a copy of parts of a root, that leads to where the verifier will work: an answer that is
 * a link to the expected one is none. Links are followed inside the copy, as they would be with the copy as root.
 */
export async function removeVerifierLinks(stage: string, folder = '/'): Promise<void> {
  for (const entry of await readdir(join(stage, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) await removeVerifierLinks(stage, path);
    if (entry.isSymbolicLink() && (await leadsToVerifier(stage, path))) await rm(join(stage, path));
  }
}

async function leadsToVerifier(stage: string, path: string): Promise<boolean> {
  const rest = path.split('/');
  let at = '/';
  for (let links = 0; rest.length > 0; ) {
    const next = posix.join(at, rest.shift() ?? '');
    const target = await linkTarget(join(stage, next));
    if (target === null) at = next;
    else if (++links > MAX_LINKS) return true;
    else {
      rest.unshift(...target.split('/'));
      if (target.startsWith('/')) at = '/';
    }
    if (FORBIDDEN.test(at)) return true;
  }
  return false;
}

async function linkTarget(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null);
  return stat?.isSymbolicLink() === true ? readlink(path) : null;
}
