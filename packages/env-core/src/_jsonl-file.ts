import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Appends lines to one file, in order. What failed is cut off again, so that the file ends with a whole line. */
export type LineWriter = Readonly<{
  append: (value: unknown) => Promise<void>;
  /** A line that is JSON already. */
  appendText: (line: string) => Promise<void>;
  close: () => Promise<void>;
}>;

type Waiting = Readonly<{ bytes: Buffer; resolve: () => void; reject: (error: unknown) => void }>;

/** sync: a line is on the disk when its append resolves; lines that wait together share one sync. */
export async function openLineWriter(
  path: string,
  options: { readonly sync: boolean },
): Promise<LineWriter> {
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o644);
  let size = (await handle.stat()).size;
  let waiting: Waiting[] = [];
  let draining: Promise<void> | null = null;
  const drain = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      size = await writeBatch(handle, batch, size, options.sync);
    }
    draining = null;
  };
  const appendText = (line: string) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ bytes: Buffer.from(`${line}\n`), resolve, reject });
      draining ??= drain();
    });
  return {
    append: (value) => appendText(JSON.stringify(value)),
    appendText,
    close: async () => {
      await draining;
      await handle.close();
    },
  };
}

/** Returns the new size: unchanged when the batch failed as a whole. */
async function writeBatch(
  handle: FileHandle,
  batch: readonly Waiting[],
  size: number,
  sync: boolean,
): Promise<number> {
  const bytes = Buffer.concat(batch.map((one) => one.bytes));
  try {
    await writeAll(handle, bytes, size);
    if (sync) await handle.datasync();
  } catch (error) {
    await handle.truncate(size).catch(() => undefined); // the repair at the next start does it then
    for (const one of batch) one.reject(error);
    return size;
  }
  for (const one of batch) one.resolve();
  return size + bytes.length;
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const rest = bytes.length - written;
    written += (await handle.write(bytes, written, rest, position + written)).bytesWritten;
  }
}

/** The lines of a file as bytes; whole: false for a last one without its end. A missing file has none. */
export async function* readLines(path: string): AsyncGenerator<{ bytes: Buffer; whole: boolean }> {
  let rest: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        yield { bytes: Buffer.concat([...rest, chunk.subarray(start, end)]), whole: true };
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), whole: false };
}

/** A line's value, or undefined when it was cut or is no JSON object. */
export function parseLine(line: { bytes: Buffer; whole: boolean }): object | undefined {
  if (!line.whole) return undefined;
  try {
    const value: unknown = JSON.parse(line.bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // damaged: the caller moves it aside
  }
}

/** Replaces the file by those of its lines that are kept, in one step. */
export async function keepLines(path: string, keep: (index: number) => boolean): Promise<void> {
  const handle = await open(`${path}.new`, 'w');
  try {
    let index = 0;
    for await (const { bytes } of readLines(path)) {
      if (keep(index)) await handle.writeFile(Buffer.concat([bytes, Buffer.from('\n')]));
      index += 1;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

/** Writes a file whole or not at all. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const handle = await open(`${path}.new`, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

/** Makes new names durable. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
