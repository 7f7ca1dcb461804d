import type { JsonObject } from '@hermes/protocol';
import { stopped } from './_read-errors.ts';
import { pickColumns } from './_row.ts';
import { rowFormat } from './row-formats.ts';

/** A file on disk, with the name that people know it by. */
export type RowFile = Readonly<{
  path: string;
  label: string;
  columns?: readonly string[] | undefined;
}>;

/** Rows of one file from `start` on, only the wanted columns. */
export async function* readRows(
  file: RowFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  for await (const row of rowFormat(file.label).read(file, start, signal)) {
    if (signal.aborted) throw stopped(`reading ${file.label}`, signal);
    yield pickColumns(row, file.columns, file.label);
  }
}

/** Number of rows; null = only known after reading them. */
export async function countRows(file: RowFile): Promise<number | null> {
  return (await rowFormat(file.label).count?.(file)) ?? null;
}
