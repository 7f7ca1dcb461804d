import { createHash } from 'node:crypto';

/** A file of a fake dataset; `large` ones are kept by their SHA-256 on another server, as the hub's LFS. */
export type FakeFile = Readonly<{ content: string | Uint8Array; large?: boolean }>;

/** A dataset as the fake hub has it. */
export type FakeDataset = Readonly<{
  /** Commits by branch or tag: `{ main: { 'a.jsonl': ... } }`. */
  revisions: Readonly<Record<string, Readonly<Record<string, string | Uint8Array | FakeFile>>>>;
  /** Files need a token that is in `readers`. */
  gated?: boolean;
  /** Without such a token there is no such dataset. */
  private?: boolean;
  readers?: readonly string[];
}>;

/** A file with all that the hub tells of it. */
export type StoredFile = Readonly<{
  path: string;
  bytes: Uint8Array;
  oid: string;
  sha256?: string;
}>;

/** One commit of a dataset. */
export type StoredCommit = Readonly<{ commit: string; files: readonly StoredFile[] }>;

/** The commit of a revision, by its name or by its own digest; null = there is none. */
export function findCommit(dataset: FakeDataset, revision: string): StoredCommit | null {
  for (const [name, files] of Object.entries(dataset.revisions)) {
    const stored = Object.entries(files).map(([path, file]) => store(path, file));
    const commit = sha1(JSON.stringify(stored.map(({ path, oid }) => [path, oid])));
    if (revision === name || revision === commit) return { commit, files: stored };
  }
  return null;
}

/** A file as `/tree` lists it. */
export function treeEntry(file: StoredFile): object {
  const size = file.bytes.length;
  const entry = { type: 'file', oid: file.oid, size, path: file.path };
  return file.sha256 ? { ...entry, lfs: { oid: file.sha256, size, pointerSize: 134 } } : entry;
}

function store(path: string, file: string | Uint8Array | FakeFile): StoredFile {
  const { content, large = false } = isFile(file) ? file : { content: file };
  const bytes = Buffer.from(content);
  if (!large) return { path, bytes, oid: blobId(bytes) };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${bytes.length}\n`;
  return { path, bytes, oid: blobId(Buffer.from(pointer)), sha256 };
}

function isFile(file: string | Uint8Array | FakeFile): file is FakeFile {
  return typeof file === 'object' && 'content' in file;
}

/** What git calls these bytes. */
function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
