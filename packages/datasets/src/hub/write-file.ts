import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a file appear whole or not at all: `make` writes below a name of its own, which is then renamed. */
export async function placeFile(
  path: string,
  make: (temporary: string) => Promise<void>,
): Promise<void> {
  // the name only has to be free; it is gone before anyone could see it
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await make(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A text file, whole or not at all. */
export function placeText(path: string, text: string): Promise<void> {
  return placeFile(path, (temporary) => writeFile(temporary, text));
}
