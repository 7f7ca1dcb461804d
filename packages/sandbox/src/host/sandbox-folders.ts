import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identifyProcess, isProcessAlive } from './process-table.ts';
import { removeTree } from './remove-tree.ts';
import { type SandboxRecord, writeRecord } from './sandbox-record.ts';

const ID = /^hermes-[0-9a-f]{24}$/;
/** What a process is making or removing. */
const UNFINISHED = /^hermes-[0-9a-f]{24}\.(?:new-(\d+)-(\d+)|old-(\d+)-(\d+)-[0-9a-f-]+)$/;
const TAKEN = ['ENOTEMPTY', 'EEXIST'];

/** The id of a sandbox: below one root folder the same provider and key always give the same one. */
export function sandboxId(rootDir: string, provider: string, idempotencyKey: string): string {
  const name = [rootDir, provider, idempotencyKey].join('\0');
  const digest = createHash('sha256').update(name).digest('hex');
  return `hermes-${digest.slice(0, 24)}`;
}

/** The folder of a sandbox; null when the id is none of ours, so that no ref can point elsewhere. */
export function sandboxFolder(rootDir: string, id: string): string | null {
  return ID.test(id) ? join(rootDir, id) : null;
}

/**
 * Makes the folder of a sandbox with its record inside, in one step: there is never a folder without a record.
 * False when the folder is there already.
 */
export async function claimFolder(folder: string, record: SandboxRecord): Promise<boolean> {
  const draft = `${folder}.new-${process.pid}-${record.creator?.startTicks ?? 0}`;
  await mkdir(draft, { mode: 0o700 });
  try {
    await writeRecord(draft, record);
    await rename(draft, folder);
    return true;
  } catch (error) {
    if (!TAKEN.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes the folder of a sandbox. It loses its name first, in one step: who is killed on the way leaves no half folder that looks like a sandbox. */
export async function removeFolder(folder: string): Promise<void> {
  const remover = await identifyProcess(process.pid);
  const doomed = `${folder}.old-${process.pid}-${remover?.startTicks ?? 0}-${randomUUID()}`;
  try {
    await rename(folder, doomed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await removeTree(doomed);
}

/** The ids of all sandboxes. What a process that has died was making or removing is swept on the way. */
export async function listSandboxIds(rootDir: string): Promise<readonly string[]> {
  const names = await readdir(rootDir);
  for (const name of names) await sweepUnfinished(rootDir, name);
  return names.filter((name) => ID.test(name));
}

async function sweepUnfinished(rootDir: string, name: string): Promise<void> {
  const [pid, startTicks] = (UNFINISHED.exec(name) ?? [])
    .slice(1)
    .filter((part) => part !== undefined);
  if (pid === undefined) return;
  const worker = { pid: Number(pid), startTicks: Number(startTicks) };
  if (!(await isProcessAlive(worker))) await removeTree(join(rootDir, name));
}
