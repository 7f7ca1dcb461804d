import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A program in place of Python: the shell runs `body` whatever it is asked. Returns its path. */
export async function fakePython(folder: string, body: string): Promise<string> {
  const path = join(folder, 'fake-python');
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}
