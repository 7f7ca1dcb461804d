import { hasRowFormat, rowFormat } from '../row-formats.ts';

/** A file of a repository whose name says which config and split it belongs to. */
export type SplitFile = Readonly<{
  config: string;
  split: string;
  path: string;
  /** How many files the split has, as the name says; null = it does not. */
  shards: number | null;
}>;

/** `train-00000-of-00002`, also with a digest behind it. */
const SHARD = /^(?<split>.+?)-\d{5}-of-(?<shards>\d{5})(?:-[0-9a-f]+)?$/;

/** A single file is a split only under a name that the hub, too, takes for one. */
const SPLIT_NAME = /^(?:train|test|validation|valid|val|dev|eval)$/;

/** `main/test/0000.parquet`: how the hub's own conversion to parquet names its files. */
const NUMBERED = /^\d{4,}$/;

/** Reads config and split from the customary names; other files are left out. */
export function splitFiles(paths: readonly string[]): SplitFile[] {
  return paths.filter(hasRowFormat).flatMap((path) => readName(path) ?? []);
}

function readName(path: string): SplitFile | null {
  const folders = path.split('/');
  const stem = withoutEnding(folders.pop() ?? '');
  const shard = SHARD.exec(stem)?.groups;
  if (shard?.split) return file(path, folders, shard.split, Number(shard.shards));
  if (SPLIT_NAME.test(stem)) return file(path, folders, stem, null);
  const folder = NUMBERED.test(stem) ? folders.pop() : undefined;
  return folder === undefined ? null : file(path, folders, folder, null);
}

function file(
  path: string,
  folders: readonly string[],
  split: string,
  shards: number | null,
): SplitFile {
  const config = folders.filter((folder, depth) => depth > 0 || folder !== 'data').join('/');
  return { config: config || 'default', split, path, shards };
}

function withoutEnding(name: string): string {
  const ending = rowFormat(name).endings.filter((each) => name.toLowerCase().endsWith(each));
  const longest = Math.max(...ending.map((each) => each.length));
  return name.slice(0, name.length - longest);
}
