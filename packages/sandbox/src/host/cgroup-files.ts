import { readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const REMOVE_TRIES = 100;
const REMOVE_PAUSE_MS = 10;

/** A control file's text without its line end; null when it is not there or may not be read. */
export async function readControl(folder: string, file: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, file), 'utf8')).trim();
  } catch {
    return null;
  }
}

/** Writes a control file; false when the kernel refuses or does not have it. */
export async function writeControl(folder: string, file: string, value: string): Promise<boolean> {
  try {
    await writeFile(join(folder, file), value, { flag: 'r+' });
    return true;
  } catch {
    return false;
  }
}

/** A control file that holds one number; null for `max` and for everything that is none. */
export async function readNumber(folder: string, file: string): Promise<number | null> {
  return toNumber(await readControl(folder, file));
}

/** The number after `key` in a control file of `key value` lines. */
export async function readKeyed(folder: string, file: string, key: string): Promise<number | null> {
  const lines = (await readControl(folder, file))?.split('\n') ?? [];
  const line = lines.find((candidate) => candidate.startsWith(`${key} `));
  return toNumber(line?.slice(key.length + 1) ?? null);
}

/** Removes a group; an absent one is no error. The kernel lets go of ended members a moment late, so this tries for a second. */
export async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await rmdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY' || attempt >= REMOVE_TRIES) throw error;
      await sleep(REMOVE_PAUSE_MS);
    }
  }
}

function toNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) : null;
}
