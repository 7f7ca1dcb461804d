import { brokenLine } from './_read-errors.ts';

/** One line without its end; `number` is 1-based. */
export type Line = Readonly<{ number: number; bytes: Uint8Array }>;

const NEWLINE = 0x0a;

/** In bytes. A longer line is no row but a damaged file: it would only fill the memory. */
export const LONGEST_LINE: number = 256 * 1024 * 1024;

/** Splits bytes at newlines, whatever the chunks; holds one line at a time. */
export async function* readLines(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Line> {
  const pending = createPending(path);
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield pending.endLine(chunk.subarray(from, end));
      from = end + 1;
    }
    pending.add(chunk.subarray(from));
  }
  if (pending.size() > 0) yield pending.endLine(new Uint8Array());
}

function createPending(path: string) {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size > LONGEST_LINE) {
      throw brokenLine(path, number, `is longer than ${LONGEST_LINE} bytes`);
    }
    if (part.length > 0) parts.push(part);
  };
  const endLine = (last: Uint8Array): Line => {
    add(last);
    const line = { number, bytes: parts.length === 1 ? (parts[0] ?? last) : Buffer.concat(parts) };
    parts = [];
    size = 0;
    number += 1;
    return line;
  };
  return { add, endLine, size: () => size };
}
