import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { listFiles } from '@huggingface/hub';
import { z } from 'zod';
import { DatasetError } from '../dataset-error.ts';
import { cacheLayout } from './cache-layout.ts';
import { checkDigest, checkListedPath } from './check-names.ts';
import type { HubContext } from './hub-context.ts';
import { describe, type HubSubject } from './hub-errors.ts';
import { libraryFetch } from './library-fetch.ts';
import { notCached } from './resolve-commit.ts';
import { placeText } from './write-file.ts';

/** A file of a commit. `digest` names its blob; null = only its place in the snapshot is known. */
export type TreeFile = Readonly<{ path: string; size: number; digest: string | null }>;

/** A listing without end would only fill the memory. */
const MOST_FILES = 500_000;

/** Python's `huggingface_hub` (2.x) keeps listings in this form; a commit's listing never changes. */
const treeSchema = z.object({
  format_version: z.literal(1),
  files: z.record(
    z.string(),
    z.object({
      size: z.number(),
      blob_id: z.string(),
      lfs_sha256: z.string().nullish(),
      lfs_size: z.number().nullish(),
      xet_hash: z.string().nullish(),
    }),
  ),
});

type Tree = z.infer<typeof treeSchema>;

/** All files of a commit, from the cache where it has them, else from the hub. */
export async function listTree(
  context: HubContext,
  subject: HubSubject,
  commit: string,
): Promise<TreeFile[]> {
  const layout = cacheLayout(context.cacheDir, subject.id);
  const cached = await readTree(layout.tree(commit));
  if (cached) return toFiles(subject, cached);
  if (context.offline) return listSnapshot(subject, layout.snapshot(commit));
  const tree = await fetchTree(context, subject, commit);
  const files = toFiles(subject, tree);
  await placeText(layout.tree(commit), JSON.stringify(tree, null, 1));
  return files;
}

/** null = there is none, or none that can be read: it is asked for again. */
async function readTree(path: string): Promise<Tree | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return treeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function fetchTree(context: HubContext, subject: HubSubject, commit: string): Promise<Tree> {
  const files: [string, Tree['files'][string]][] = [];
  const entries = listFiles({
    repo: { type: 'dataset', name: subject.id },
    revision: commit,
    recursive: true,
    hubUrl: context.endpoint,
    fetch: libraryFetch(context, subject),
  });
  for await (const entry of entries) {
    if (entry.type !== 'file') continue;
    if (files.length === MOST_FILES) throw tooMany(subject);
    files.push([entry.path, toTreeEntry(entry)]);
  }
  return { format_version: 1, files: Object.fromEntries(files) };
}

type HubEntry = Readonly<{
  size: number;
  oid?: string;
  lfs?: Readonly<{ oid: string; size: number }>;
  xetHash?: string;
}>;

function toTreeEntry(entry: HubEntry): Tree['files'][string] {
  return {
    size: entry.size,
    blob_id: entry.oid ?? '',
    ...(entry.lfs && { lfs_sha256: entry.lfs.oid, lfs_size: entry.lfs.size }),
    ...(entry.xetHash && { xet_hash: entry.xetHash }),
  };
}

function toFiles(subject: HubSubject, tree: Tree): TreeFile[] {
  return Object.entries(tree.files).map(([path, file]) => ({
    path: checkListedPath(subject.id, path),
    size: file.lfs_size ?? file.size,
    digest: checkDigest(subject.id, file.lfs_sha256 ?? file.blob_id),
  }));
}

/** What an older program left in the cache, without a listing. */
async function listSnapshot(subject: HubSubject, folder: string): Promise<TreeFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause) => {
    throw notCached(subject, folder, cause);
  });
  const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink());
  return Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size } = await stat(path);
      return { path: relative(folder, path).replaceAll(sep, '/'), size, digest: null };
    }),
  );
}

function tooMany(subject: HubSubject): DatasetError {
  return new DatasetError(
    'HUB',
    `${describe(subject)} lists more than ${MOST_FILES} files; is the endpoint right?`,
  );
}
