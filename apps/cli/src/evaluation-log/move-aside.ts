import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Moves the files of an earlier run into a folder that is named after the moment when they were written. */
export async function moveAside(folder: string, names: readonly string[]): Promise<void> {
  const times = await Promise.all(names.map((name) => writtenMs(join(folder, name))));
  const there = names.filter((_name, index) => times[index] !== null);
  if (there.length === 0) return;
  const aside = await newFolder(folder, Math.max(...times.map((time) => time ?? 0)));
  for (const name of there) await rename(join(folder, name), join(aside, name));
}

async function writtenMs(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.mtimeMs ?? null;
}

/** Two runs may have ended in one second. */
async function newFolder(folder: string, atMs: number, attempt = 0): Promise<string> {
  const moment = new Date(atMs).toISOString().replaceAll(':', '-').replace(/\..*$/, '');
  const path = join(folder, attempt === 0 ? moment : `${moment}-${attempt}`);
  try {
    await mkdir(path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return newFolder(folder, atMs, attempt + 1);
  }
}
