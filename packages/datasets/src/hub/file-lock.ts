import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Clock } from '@hermes/protocol';

/** How often a holder says that it is alive, and how long its silence may last. */
const BEAT_MS = 5_000;
const SILENCE_MS = 30_000;
const LOOK_MS = 250;

/**
 * Does `work` while no other process holds the lock of this name. A holder that died is noticed: by
 * its process number on this machine, by its silence elsewhere. The lock only keeps two from doing
 * the same work; what they write is right without it.
 */
export async function withFileLock<T>(
  path: string,
  clock: Clock,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  await takeLock(path, clock, signal, onWait);
  const done = new AbortController();
  void beat(path, clock, done.signal);
  try {
    return await work();
  } finally {
    done.abort();
    await rm(path, { force: true });
  }
}

async function takeLock(
  path: string,
  clock: Clock,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  let isTold = false;
  while (!(await createLock(path))) {
    if (await isAbandoned(path, clock)) {
      await removeLock(path);
      continue;
    }
    if (!isTold) onWait();
    isTold = true;
    await clock.sleep(LOOK_MS, signal);
  }
}

async function createLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }));
    await file.close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(path: string, clock: Clock): Promise<boolean> {
  const info = await stat(path).catch(() => null);
  if (info === null) return false;
  if (clock.now().wallMs - info.mtimeMs > SILENCE_MS) return true;
  const text = await readFile(path, 'utf8').catch(() => '');
  const holder = /"pid":(?<pid>\d+),"host":(?<host>".*")/.exec(text)?.groups;
  return holder?.host === JSON.stringify(hostname()) && !isAlive(Number(holder.pid));
}

/** Renamed first: of several that find it abandoned, one removes it and the others find it gone. */
async function removeLock(path: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await rm(aside, { force: true });
}

async function beat(path: string, clock: Clock, done: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(BEAT_MS, done);
      const now = new Date(clock.now().wallMs);
      await utimes(path, now, now);
    }
  } catch {
    // the work is done, or the lock was taken away: either way there is nothing more to say
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded ? String(error.code) : '';
}
