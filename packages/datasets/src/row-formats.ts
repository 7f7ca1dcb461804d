import type { JsonObject } from '@hermes/protocol';
import { DatasetError } from './dataset-error.ts';
import { readCsv, readTsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readJsonl } from './read-jsonl.ts';
import { countParquet, readParquet } from './read-parquet.ts';
import type { RowFile } from './row-file.ts';

/** How the rows of one kind of file are read. */
export type RowFormat = Readonly<{
  endings: readonly string[];
  /** Rows from `start` on. */
  read(file: RowFile, start: number, signal: AbortSignal): AsyncIterable<JsonObject>;
  /** Number of rows, where it can be had without reading them. */
  count?(file: RowFile): Promise<number>;
}>;

const FORMATS: readonly RowFormat[] = [
  { endings: ['.parquet'], read: readParquet, count: countParquet },
  { endings: ['.jsonl', '.jsonl.gz', '.ndjson', '.ndjson.gz'], read: readJsonl },
  { endings: ['.json', '.json.gz'], read: readJson },
  { endings: ['.csv', '.csv.gz'], read: readCsv },
  { endings: ['.tsv', '.tsv.gz'], read: readTsv },
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
