import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { stopped, unreadable } from './_read-errors.ts';
import type { RowFile } from './row-file.ts';

/** The bytes of a file, unpacked when its name ends in `.gz`. */
export async function* readBytes(file: RowFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of openStream(file)) {
      if (signal.aborted) throw stopped(`reading ${file.label}`, signal);
      yield chunk;
    }
  } catch (error) {
    throw unreadable(file.label, error);
  }
}

function openStream(file: RowFile): Readable {
  const bytes = createReadStream(file.path);
  if (!file.label.toLowerCase().endsWith('.gz')) return bytes;
  // a stream's error also ends the loop that reads it, so the callback has nothing left to do
  return pipeline(bytes, createGunzip(), () => undefined);
}
