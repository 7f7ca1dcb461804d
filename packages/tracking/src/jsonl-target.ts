import type { FileHandle } from 'node:fs/promises';
import { growingFile } from './_growing-file.ts';
import type { MetricTarget, TrackedEntry } from './types.ts';

/** One JSON object a line, in the order in which things were said. A file that is there is gone on with. */
export function createJsonlTarget(path: string): MetricTarget {
  const file = growingFile(path, endOfLastLine);
  return {
    name: path,
    write: (entries) => file.append(Buffer.from(entries.map(lineOf).join(''))),
    close: () => file.close(),
  };
}

function lineOf({ wallMs, ...entry }: TrackedEntry): string {
  return `${JSON.stringify({ time: new Date(wallMs).toISOString(), ...entry })}\n`;
}

const NEWLINE = 10;

/** A process that was killed may have left half a line. */
async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; end -= block.length) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const newline = block.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
  }
  return 0;
}
