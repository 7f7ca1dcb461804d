import type { JsonObject } from '@hermes/protocol';
import { DatasetError } from './dataset-error.ts';
import { readCsv, readTsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readJsonl } from './read-jsonl.ts';
import { countParquet, readParquet } from './read-parquet.ts';
import type { RowFile } from './row-file.ts';

/** How the rows of one kind of file are read. */
export type RowFormat = Readonly<{
  /** Of the same rows in two formats, the one with the lower rank is read. */
  rank: number;
  endings: readonly string[];
  /** Rows from `start` on. */
  read(file: RowFile, start: number, signal: AbortSignal): AsyncIterable<JsonObject>;
  /** Number of rows, where it can be had without reading them. */
  count?(file: RowFile): Promise<number>;
}>;

const FORMATS: readonly RowFormat[] = [
  { rank: 0, endings: ['.parquet'], read: readParquet, count: countParquet },
  { rank: 1, endings: ['.jsonl', '.jsonl.gz', '.ndjson', '.ndjson.gz'], read: readJsonl },
  { rank: 2, endings: ['.json', '.json.gz'], read: readJson },
  { rank: 3, endings: ['.csv', '.csv.gz'], read: readCsv },
  { rank: 4, endings: ['.tsv', '.tsv.gz'], read: readTsv },
];

/** Whether a file of this name holds rows. */
export function hasRowFormat(name: string): boolean {
  return findFormat(name) !== undefined;
}

/** The format of a file by its name; an error lists the endings that are read. */
export function rowFormat(name: string): RowFormat {
  const format = findFormat(name);
  if (format !== undefined) return format;
  const endings = FORMATS.flatMap((each) => each.endings).join(', ');
  throw new DatasetError(
    'FORMAT',
    `${name} is no kind of file that is read; use one that ends in ${endings}`,
  );
}

function findFormat(name: string): RowFormat | undefined {
  const lower = name.toLowerCase();
  return FORMATS.find((format) => format.endings.some((ending) => lower.endsWith(ending)));
}
