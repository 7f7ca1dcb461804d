import type { JsonObject } from '@hermes/protocol';
import { stopped } from './_read-errors.ts';
import { DatasetError } from './dataset-error.ts';
import { countRows, type RowFile, readRows } from './row-file.ts';
import type { Dataset } from './types.ts';

/** A dataset of files that lie on this machine, read one after the other. */
export async function createDataset(
  files: readonly RowFile[],
  revision: string,
  signal: AbortSignal,
): Promise<Dataset> {
  await checkColumns(files, signal);
  const counts = await Promise.all(files.map(countRows));
  const closing = new AbortController();
  return {
    revision,
    length: sum(counts),
    rows: (start = 0, stop) =>
      readFiles(files, counts, start, AbortSignal.any([closing.signal, ...(stop ? [stop] : [])])),
    close: async () => {
      closing.abort(new DatasetError('CLOSED', 'the dataset was closed; open it again'));
    },
  };
}

/** A wanted column that is missing is told at once, by the first row of each file. */
async function checkColumns(files: readonly RowFile[], signal: AbortSignal): Promise<void> {
  for (const file of files) {
    if (file.columns === undefined) continue;
    for await (const _row of readRows(file, 0, signal)) break;
  }
}

async function* readFiles(
  files: readonly RowFile[],
  counts: readonly (number | null)[],
  start: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  let skip = checkStart(start);
  for (const [index, file] of files.entries()) {
    if (signal.aborted) throw stopped(`reading ${file.label}`, signal);
    const isLast = index === files.length - 1;
    skip = yield* readFile(file, counts[index] ?? null, isLast, skip, signal);
  }
}

/** Reads one file and returns how many rows the next ones still have to skip. */
async function* readFile(
  file: RowFile,
  count: number | null,
  isLast: boolean,
  skip: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject, number> {
  if (count !== null && count <= skip) return skip - count;
  if (isLast || count !== null) {
    yield* readRows(file, skip, signal);
    return 0;
  }
  let left = skip;
  for await (const row of readRows(file, 0, signal)) {
    if (left === 0) yield row;
    else left -= 1;
  }
  return left;
}

function checkStart(start: number): number {
  if (Number.isSafeInteger(start) && start >= 0) return start;
  throw new DatasetError('SOURCE', `rows start at a whole number from 0 on, not at ${start}`);
}

function sum(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>(
    (total, count) => (total === null || count === null ? null : total + count),
    0,
  );
}
