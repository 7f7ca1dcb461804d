import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** When a sandbox is said to fill this machine's disk. */
export type DiskLimits = Readonly<{
  /** So much of the disk stays free. */
  reserveBytes: number;
  /** Who uses less than this is not to blame. */
  blameBytes: number;
}>;

const LIMITS: DiskLimits = { reserveBytes: 1024 ** 3, blameBytes: 1024 ** 3 };
const LOOK_MS = 500;

/** Looks after the disk under a folder until it is stopped, and calls `onFull` once when that folder is filling it. */
export function guardDisk(folder: string, onFull: () => void): () => void {
  const look = async () => {
    if (!(await isFillingDisk(folder, LIMITS))) return;
    clearInterval(timer);
    onFull();
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS); // removed meanwhile
  timer.unref();
  return () => clearInterval(timer);
}

/** Whether the disk is nearly full, and this folder has a good part in it. */
export async function isFillingDisk(folder: string, limits: DiskLimits): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= limits.reserveBytes) return false;
  return (await usedBytes(folder)) >= limits.blameBytes;
}

/** What the files take on the disk; holes take nothing. */
export async function usedBytes(path: string): Promise<number> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null) return 0;
  let bytes = stat.blocks * 512;
  if (!stat.isDirectory()) return bytes;
  const names = await readdir(path).catch(() => []);
  for (const name of names) bytes += await usedBytes(join(path, name));
  return bytes;
}
