import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder and those above it, one by one: `mkdir` with `recursive` never comes back where the system makes none (`/proc/x`, Node 20). */
export async function makeFolder(folder: string): Promise<void> {
  const failure = await tryToMake(folder);
  if (failure?.code !== 'ENOENT' || dirname(folder) === folder) return rejectUnlessThere(failure);
  await makeFolder(dirname(folder));
  rejectUnlessThere(await tryToMake(folder));
}

function tryToMake(folder: string): Promise<NodeJS.ErrnoException | null> {
  return mkdir(folder).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
}

function rejectUnlessThere(failure: NodeJS.ErrnoException | null): void {
  if (failure !== null && failure.code !== 'EEXIST') throw failure;
}
