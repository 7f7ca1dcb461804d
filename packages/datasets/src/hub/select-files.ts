import { DatasetError } from '../dataset-error.ts';
import { rowFormat } from '../row-formats.ts';
import { describe, type HubSubject } from './hub-errors.ts';
import { type SplitFile, splitFiles } from './split-files.ts';

/** Which part of a dataset is wanted. */
export type Wanted = Readonly<{ config?: string | undefined; split?: string | undefined }>;

/** The paths of one split, in order. Throws `NOT_FOUND` with the configs or splits that there are. */
export function selectFiles(
  subject: HubSubject,
  paths: readonly string[],
  wanted: Wanted,
): readonly string[] {
  const files = splitFiles(paths);
  if (files.length === 0) throw noSplits(subject);
  const config = choose(subject, 'config', names(files, 'config'), wanted.config ?? null);
  const inConfig = files.filter((file) => file.config === config);
  const split = choose(subject, 'split', names(inConfig, 'split'), wanted.split ?? null);
  const chosen = ofOneFormat(inConfig.filter((file) => file.split === split));
  checkShards(subject, chosen);
  return chosen.map((file) => file.path).sort((one, other) => (one < other ? -1 : 1));
}

function names(files: readonly SplitFile[], part: 'config' | 'split'): string[] {
  return [...new Set(files.map((file) => file[part]))].sort();
}

function choose(
  subject: HubSubject,
  part: 'config' | 'split',
  present: readonly string[],
  wanted: string | null,
): string {
  const single = present.length === 1 ? present[0] : present.find((name) => name === 'default');
  const chosen = wanted === null ? single : present.find((name) => name === wanted);
  if (chosen !== undefined) return chosen;
  const list = present.map((name) => `"${name}"`).join(', ');
  const problem = wanted === null ? `has several ${part}s` : `has no ${part} "${wanted}"`;
  throw new DatasetError('NOT_FOUND', `${describe(subject)} ${problem}; choose one of ${list}`, {
    details: { [part]: wanted, present },
  });
}

/** The same rows often lie there twice, as parquet and as text. */
function ofOneFormat(files: readonly SplitFile[]): readonly SplitFile[] {
  const formats = [...new Set(files.map((file) => rowFormat(file.path)))];
  const best = formats.sort((one, other) => one.rank - other.rank)[0];
  return files.filter((file) => rowFormat(file.path) === best);
}

function checkShards(subject: HubSubject, files: readonly SplitFile[]): void {
  const shards = files[0]?.shards ?? null;
  if (shards === null || shards === files.length) return;
  const [count, split] = [files.length, files[0]?.split];
  const message = `${describe(subject)} has ${count} of the ${shards} files of the split "${split}"; name the files by path, or run once without offline mode`;
  throw new DatasetError('HUB', message);
}

function noSplits(subject: HubSubject): DatasetError {
  return new DatasetError(
    'NOT_FOUND',
    `${describe(subject)} has no files named after a split; name one file by its path`,
    { details: { present: [] } },
  );
}
