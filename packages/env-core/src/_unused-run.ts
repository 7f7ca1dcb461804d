import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a run directory consists of before its first trial is known; the lock is released by who took it. */
const FILES = ['run.json', 'records.jsonl', 'tries.jsonl', 'started.jsonl'];

/** Takes back what opening a run directory has made. Folders go only when nothing is in them. */
export async function removeUnused({
  folder,
  made,
}: Readonly<{ folder: string; made: string | null }>): Promise<() => Promise<void>> {
  for (const name of FILES) await rm(join(folder, name), { force: true });
  for (const name of ['events', 'artifacts']) await removeEmpty(join(folder, name));
  return async () => {
    if (made !== null) await removeEmptyUpTo(folder, made);
  };
}

async function removeEmptyUpTo(folder: string, outermost: string): Promise<void> {
  await removeEmpty(folder);
  if (folder !== outermost && folder !== dirname(folder))
    await removeEmptyUpTo(dirname(folder), outermost);
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error;
  }
}
