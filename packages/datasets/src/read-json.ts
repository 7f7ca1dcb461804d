import { stat } from 'node:fs/promises';
import type { JsonObject } from '@hermes/protocol';
import { readBytes } from './_read-bytes.ts';
import { brokenLine, unreadable } from './_read-errors.ts';
import { readText } from './_read-text.ts';
import { isJsonObject } from './_row.ts';
import { DatasetError } from './dataset-error.ts';
import { readJsonl } from './read-jsonl.ts';
import type { RowFile } from './row-file.ts';

/** In bytes. A list is parsed as a whole; above this, only lines keep the memory bounded. */
const LARGEST_LIST = 256 * 1024 * 1024;

/** A `.json` file: a list of objects, or, as many such files are, one object a line. */
export async function* readJson(
  file: RowFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  if (await isList(file, signal)) yield* (await readList(file, signal)).slice(start);
  else yield* readJsonl(file, start, signal);
}

async function isList(file: RowFile, signal: AbortSignal): Promise<boolean> {
  for await (const chunk of readBytes(file, signal)) {
    const text = new TextDecoder().decode(chunk).trimStart();
    if (text !== '') return text.startsWith('[');
  }
  return false;
}

async function readList(file: RowFile, signal: AbortSignal): Promise<JsonObject[]> {
  await checkSize(file);
  let text = '';
  for await (const piece of readText(file, signal)) text += piece;
  return parseList(file.label, text).map((value, index) => {
    if (isJsonObject(value)) return value;
    throw brokenLine(file.label, 1, `element ${index + 1} of the list is no object`);
  });
}

async function checkSize(file: RowFile): Promise<void> {
  const { size } = await stat(file.path).catch((error) => {
    throw unreadable(file.label, error);
  });
  if (size <= LARGEST_LIST) return;
  throw new DatasetError(
    'FORMAT',
    `${file.label} is one list of ${size} bytes, too much to parse at once; write one object a line (.jsonl)`,
  );
}

function parseList(label: string, text: string): unknown[] {
  try {
    return JSON.parse(text) as unknown[];
  } catch (error) {
    const reason = (error as Error).message;
    throw brokenLine(label, lineOf(text, reason), `is no JSON (${reason})`);
  }
}

/** The parser names a position, or none where the text ends too early. */
function lineOf(text: string, reason: string): number {
  const position = /at position (\d+)/.exec(reason)?.[1];
  return text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
}
