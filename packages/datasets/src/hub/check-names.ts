import { DatasetError } from '../dataset-error.ts';

const COMMIT = /^[0-9a-f]{40}$/;

/** Git's own digest of a file, or the SHA-256 of a large one. */
const DIGEST = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Whether a revision is a commit, and so pins the data for good. */
export function isCommit(revision: string): boolean {
  return COMMIT.test(revision);
}

/** `owner/name`, and nothing that would leave the cache's folder. */
export function checkId(id: string): string {
  const parts = id.split('/');
  const isWell = parts.length === 2 && parts.every((part) => /^[\w-][\w.-]*$/.test(part));
  if (isWell && !id.includes('..')) return id;
  throw new DatasetError('SOURCE', `"${id}" is no dataset of the hub; write OWNER/NAME`);
}

/** A revision becomes a file name below `refs`. */
export function checkRevision(revision: string): string {
  if (isSafePath(revision)) return revision;
  throw new DatasetError('SOURCE', `"${revision}" is no revision; name a branch, tag or commit`);
}

/** A file that a caller asks for. */
export function checkPath(path: string): string {
  if (isSafePath(path)) return path;
  throw new DatasetError('SOURCE', `"${path}" is no path inside a dataset; write one as a/b.jsonl`);
}

/** A file that the hub tells of. */
export function checkListedPath(id: string, path: string): string {
  if (isSafePath(path)) return path;
  throw refused(id, `a file named ${JSON.stringify(path)}, which could leave the cache's folder`);
}

export function checkCommit(id: string, commit: unknown): string {
  if (typeof commit === 'string' && isCommit(commit)) return commit;
  throw refused(id, `the commit ${JSON.stringify(commit)}, which is none`);
}

export function checkDigest(id: string, digest: string): string {
  if (DIGEST.test(digest)) return digest;
  throw refused(id, `the digest ${JSON.stringify(digest)}, which is none`);
}

/** Relative under the rules of every system, without steps up, empty or hidden control characters. */
function isSafePath(path: string): boolean {
  const parts = path.split(/[/\\]/);
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  return isPlain && !path.includes('\\') && !/^[a-z]:/i.test(path) && !hasControl(path);
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\x7f');
}

function refused(id: string, what: string): DatasetError {
  return new DatasetError('HUB', `the hub tells for ${id} of ${what}; nothing of it is read`);
}
