import { stat, truncate } from 'node:fs/promises';
import { HermesError } from '@hermes/protocol';
import { parseLine, readLines } from '../_jsonl-file.ts';

/** A line that was found, in no certain format. */
export type ExistingLine = Readonly<Record<string, unknown>>;

/** What an earlier process wrote into a file. A last line that a crash cut is cut off; any other broken line is not ours: TRAINING_FILE. */
export async function readExisting(
  path: string,
  visit: (line: ExistingLine) => void,
): Promise<void> {
  if (!(await isFile(path))) return;
  let size = 0;
  let number = 0;
  for await (const line of readLines(path)) {
    number += 1;
    if (!line.whole) return truncate(path, size);
    size += line.bytes.length + 1;
    const value = parseLine(line) as ExistingLine | undefined;
    if (typeof value?.id !== 'string') throw notOurs(path, number);
    visit(value);
  }
}

/** Nothing that was written into a pipe or a device can be read back. */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false; // it is not there yet; opening it says what else is wrong
  }
}

function notOurs(path: string, number: number): HermesError {
  const message = `Line ${number} of ${path} was not written by this command: mend it, or choose another file`;
  return new HermesError('data', 'TRAINING_FILE', message);
}
