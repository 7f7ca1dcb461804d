import { readBytes } from './_read-bytes.ts';
import { brokenLine } from './_read-errors.ts';
import type { RowFile } from './row-file.ts';

const NEWLINE = 0x0a;

/** The text of a file in pieces, without a byte order mark; bytes that are no UTF-8 are an error. */
export async function* readText(file: RowFile, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for await (const chunk of readBytes(file, signal)) {
    yield decode(() => decoder.decode(chunk, { stream: true }), file, line);
    line += countNewlines(chunk);
  }
  yield decode(() => decoder.decode(), file, line);
}

function decode(read: () => string, file: RowFile, line: number): string {
  try {
    return read();
  } catch {
    throw brokenLine(file.label, line, 'is not UTF-8, here or below');
  }
}

function countNewlines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
