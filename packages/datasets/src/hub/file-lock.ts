import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Clock } from '@hermes/protocol';

/** How often a holder says that it is alive, and how long its silence may last. */
const BEAT_MS = 5_000;
const SILENCE_MS = 30_000;
const LOOK_MS = 250;

/** What a lock needs. `onWait`: told once, when another process holds it. */
export type FileLockOptions = Readonly<{
  path: string;
  clock: Clock;
  signal: AbortSignal;
  onWait: () => void;
}>;

/** What became of the holder before: it ended, it was killed, or it only fell silent and may wake up. */
export type FormerHolder = 'ended' | 'dead' | 'silent';

/**
 * Does `work` while no other process holds the lock of this name. A holder that died is noticed: by
 * its process number on this machine, by its silence elsewhere.
 */
export async function withFileLock<T>(
  options: FileLockOptions,
  work: (former: FormerHolder) => Promise<T>,
): Promise<T> {
  const { path, clock } = options;
  await mkdir(dirname(path), { recursive: true });
  const holder = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  const former = await takeLock(options, holder);
  const done = new AbortController();
  void beat(path, clock, done.signal);
  try {
    return await work(former);
  } finally {
    done.abort();
    // after a long sleep it may be another's by now
    if ((await readHolder(path)) === holder) await rm(path, { force: true });
  }
}

async function takeLock(options: FileLockOptions, holder: string): Promise<FormerHolder> {
  const { path, clock, signal, onWait } = options;
  let former: FormerHolder = 'ended';
  let isTold = false;
  while (!(await createLock(path, holder))) {
    const abandoned = await findAbandoned(path, clock);
    if (abandoned) {
      former = abandoned;
      await removeLock(path);
      continue;
    }
    if (!isTold) onWait();
    isTold = true;
    former = 'ended';
    await clock.sleep(LOOK_MS, signal);
  }
  return former;
}

async function createLock(path: string, holder: string): Promise<boolean> {
  try {
    await writeFile(path, holder, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** null = its holder is at work. */
async function findAbandoned(path: string, clock: Clock): Promise<'dead' | 'silent' | null> {
  const info = await stat(path).catch(() => null);
  if (info === null) return null;
  const holder = /"pid":(?<pid>\d+),"host":(?<host>".*?")/.exec(await readHolder(path))?.groups;
  const isHere = holder?.host === JSON.stringify(hostname());
  if (isHere && !isAlive(Number(holder.pid))) return 'dead';
  return clock.now().wallMs - info.mtimeMs > SILENCE_MS ? 'silent' : null;
}

/** '' = there is no lock, or none that can be read yet. */
async function readHolder(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
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
