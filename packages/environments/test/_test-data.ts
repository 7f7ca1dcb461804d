import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the folder HERMES_TEST_DATA; null where that is not set. A set folder without the file fails. */
export function testData(name: string): string | null {
  const folder = process.env.HERMES_TEST_DATA;
  if (folder === undefined || folder === '') return null;
  const path = join(folder, name);
  if (!existsSync(path)) throw new Error(`HERMES_TEST_DATA: ${folder} has no file ${name}`);
  return path;
}
