import { pipeline, Readable } from 'node:stream';
import type { JsonObject } from '@hermes/protocol';
import { CsvError, type Parser, parse } from 'csv-parse';
import { brokenLine } from './_read-errors.ts';
import { LONGEST_LINE } from './_read-lines.ts';
import { readText } from './_read-text.ts';
import type { RowFile } from './row-file.ts';

/** Rows of comma separated values under a line of column names; every value is text. */
export function readCsv(
  file: RowFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  return readSeparated(file, start, signal, ',');
}

/** The same with tabs. */
export function readTsv(
  file: RowFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  return readSeparated(file, start, signal, '\t');
}

async function* readSeparated(
  file: RowFile,
  start: number,
  signal: AbortSignal,
  delimiter: string,
): AsyncGenerator<JsonObject> {
  let seen = 0;
  try {
    for await (const row of openParser(file, signal, delimiter)) {
      seen += 1;
      if (seen > start) yield row;
    }
  } catch (error) {
    throw error instanceof CsvError ? broken(file, error) : error;
  }
}

function openParser(file: RowFile, signal: AbortSignal, delimiter: string): Parser {
  const parser = parse({
    columns: (header: readonly string[]) => checkHeader(file, header),
    delimiter,
    bom: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_LINE,
  });
  // an error of any part also ends the loop that reads the parser, so the callback has nothing left to do
  pipeline(Readable.from(readText(file, signal)), parser, () => undefined);
  return parser;
}

function checkHeader(file: RowFile, header: readonly string[]): string[] {
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice === undefined) return [...header];
  throw brokenLine(file.label, 1, `names the column "${twice}" twice`);
}

function broken(file: RowFile, error: CsvError): Error {
  const line = typeof error.lines === 'number' ? error.lines : 1;
  return brokenLine(file.label, line, `is no row of the table (${error.message})`);
}
