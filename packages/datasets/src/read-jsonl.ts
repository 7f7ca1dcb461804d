import type { JsonObject } from '@hermes/protocol';
import { readBytes } from './_read-bytes.ts';
import { brokenLine } from './_read-errors.ts';
import { type Line, readLines } from './_read-lines.ts';
import { isJsonObject } from './_row.ts';
import type { RowFile } from './row-file.ts';

/** One JSON object a line; empty lines are skipped. */
export async function* readJsonl(
  file: RowFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  let seen = 0;
  for await (const line of readLines(file.label, readBytes(file, signal))) {
    if (isBlank(line)) continue;
    seen += 1;
    if (seen > start) yield parseLine(file.label, line);
  }
}

/** The row of one line; an error names file and line. */
function parseLine(label: string, line: Line): JsonObject {
  const value = parseJson(label, line);
  if (!isJsonObject(value)) throw brokenLine(label, line.number, 'is JSON but no object');
  return value;
}

function parseJson(label: string, line: Line): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line.bytes));
  } catch (error) {
    throw brokenLine(label, line.number, `is no JSON (${(error as Error).message})`);
  }
}

function isBlank(line: Line): boolean {
  return line.bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
