import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a run directory consists of, but for the lock: whoever took it releases it. */
const NAMES = [
  'run.json',
  'records.jsonl',
  'tries.jsonl',
  'started.jsonl',
  'summary.json',
  'damaged.jsonl',
  'groups.jsonl',
  'refused.jsonl',
  'position.json',
  'events',
  'artifacts',
  // of trackers, which are not of this package but write into the folder of their run
  'metrics.jsonl',
  'tensorboard',
  'wandb',
];

/** Removes a run, and returns what removes the folders that were made for it; they go only when nothing else is in them. */
export async function removeRun({
  folder,
  made,
}: Readonly<{ folder: string; made: string | null }>): Promise<() => Promise<void>> {
  for (const name of NAMES) await rm(join(folder, name), { recursive: true, force: true });
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
