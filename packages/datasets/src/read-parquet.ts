import type { JsonObject } from '@hermes/protocol';
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { bytesToText, toJsonRow } from './_parquet-values.ts';
import { stopped, unreadable } from './_read-errors.ts';
import { missingColumn } from './_row.ts';
import type { RowFile } from './row-file.ts';

type Opened = Readonly<{ bytes: AsyncBuffer; metadata: FileMetaData }>;

/** Rows of a parquet file, one row group in memory at a time; unwanted columns are not even read. */
export async function* readParquet(
  file: RowFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  const opened = await open(file);
  checkColumns(file, opened.metadata);
  for (const [from, to] of rowGroups(opened.metadata)) {
    if (to <= start) continue;
    if (signal.aborted) throw stopped(`reading ${file.label}`, signal);
    const rows = await readRange(file, opened, Math.max(from, start), to);
    for (const row of rows) yield toJsonRow(row);
  }
}

/** The number of rows, as the file's footer tells it. */
export async function countParquet(file: RowFile): Promise<number> {
  return Number((await open(file)).metadata.num_rows);
}

async function open(file: RowFile): Promise<Opened> {
  try {
    const bytes = await asyncBufferFromFile(file.path);
    return { bytes, metadata: await parquetMetadataAsync(bytes) };
  } catch (error) {
    throw unreadable(file.label, error);
  }
}

function checkColumns(file: RowFile, metadata: FileMetaData): void {
  const present = parquetSchema(metadata).children.map((child) => child.element.name);
  const missing = file.columns?.find((name) => !present.includes(name));
  if (missing !== undefined) throw missingColumn(missing, present, file.label);
}

function rowGroups(metadata: FileMetaData): [from: number, to: number][] {
  let from = 0;
  return metadata.row_groups.map((group) => {
    const range: [number, number] = [from, from + Number(group.num_rows)];
    from = range[1];
    return range;
  });
}

async function readRange(
  file: RowFile,
  opened: Opened,
  rowStart: number,
  rowEnd: number,
): Promise<Record<string, unknown>[]> {
  try {
    return await parquetReadObjects({
      file: opened.bytes,
      metadata: opened.metadata,
      ...(file.columns && { columns: [...file.columns] }),
      rowStart,
      rowEnd,
      compressors,
      parsers: { stringFromBytes: bytesToText },
    });
  } catch (error) {
    throw unreadable(`${file.label}, rows ${rowStart} to ${rowEnd},`, error);
  }
}
