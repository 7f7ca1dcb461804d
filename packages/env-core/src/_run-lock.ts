import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { HermesError } from '@hermes/protocol';

/** Who holds a run directory. bootId and startTime tell a living process from another that got its number; null where the system has none. */
type Holder = Readonly<{
  token: string;
  host: string;
  pid: number;
  bootId: string | null;
  startTime: string | null;
}>;

/** Takes the lock of a run directory. Refuses while a living process holds it; takes over from a dead one. */
export async function takeLock(
  directory: string,
): Promise<Readonly<{ release: () => Promise<void> }>> {
  const path = join(directory, 'lock');
  const mine = self();
  for (;;) {
    if (await create(path, mine)) break;
    await clearStale(directory, path);
  }
  return {
    release: async () => {
      if ((await readHolder(path))?.token === mine.token) await rm(path, { force: true });
    },
  };
}

/** The whole file appears at once: a link fails where the name is taken. */
async function create(path: string, holder: Holder): Promise<boolean> {
  const temporary = `${path}.${holder.token}`;
  await writeFile(temporary, JSON.stringify(holder));
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function clearStale(directory: string, path: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder !== null && isAlive(holder)) throw inUse(directory, path, holder);
  const aside = `${path}.stale.${randomUUID()}`;
  await rename(path, aside).catch(ignoreMissing);
  await giveBackIfFresh(path, aside, holder);
  await rm(aside, { force: true });
}

/** Another process may have taken the lock between our look and our rename: then it is still its own. */
async function giveBackIfFresh(path: string, aside: string, seen: Holder | null): Promise<void> {
  const moved = await readHolder(aside);
  if (moved !== null && moved.token !== seen?.token) await link(aside, path).catch(ignoreTaken);
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return null; // gone, or never written whole: nobody holds it
  }
}

function isAlive(holder: Holder): boolean {
  const here = self();
  if (holder.host !== here.host) return true; // cannot be asked from here
  if (holder.bootId !== here.bootId) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return holder.startTime === startTimeOf(holder.pid);
}

function self(): Holder {
  return {
    token: randomUUID(),
    host: hostname(),
    pid: process.pid,
    bootId: readText('/proc/sys/kernel/random/boot_id'),
    startTime: startTimeOf(process.pid),
  };
}

/** Clock ticks since boot, the 22nd field of stat; the second may hold spaces and brackets. A zombie has none: it is dead and only not yet buried. */
function startTimeOf(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return state === 'Z' || state === 'X' ? null : (fields[18] ?? null);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null; // not Linux, or the process is gone
  }
}

function inUse(directory: string, path: string, holder: Holder): HermesError {
  const where = holder.host === hostname() ? '' : ` on host ${holder.host}`;
  return new HermesError(
    'config',
    'RUN_IN_USE',
    `The run directory ${directory} is in use by process ${holder.pid}${where}. ` +
      `Wait for its end or choose another folder${where && `; if that host is gone, remove ${path}`}`,
    { details: { pid: holder.pid, host: holder.host } },
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function ignoreTaken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
