import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { SandboxError, type SandboxRef } from '@hermes/sandbox';
import type { SandboxCgroup } from './cgroups.ts';
import { isProcessAlive, type ProcessId } from './process-table.ts';

/** What is known of a sandbox on disk (`ref.json`), enough to end and remove it from another process. */
export type SandboxRecord = Readonly<{
  ref: SandboxRef;
  bootId: string;
  isolation: 'bubblewrap' | 'none';
  workdir: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** The process that makes the sandbox. */
  creator: ProcessId | null;
  /** The host's view of the supervisor, or of bubblewrap around it. */
  supervisor: ProcessId | null;
  /** The first process of the sandbox's own process namespace, as the host sees it. */
  init: ProcessId | null;
  cgroup: SandboxCgroup | null;
}>;

const ID = /^hermes-[0-9a-f]{24}$/;
const DRAFT = /^hermes-[0-9a-f]{24}\.new-(\d+)-(\d+)$/;
const NO_PROCESSES = { creator: null, supervisor: null, init: null };
const TAKEN = ['ENOTEMPTY', 'EEXIST'];

/** The same key always gives the same id. */
export function sandboxId(idempotencyKey: string): string {
  return `hermes-${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 24)}`;
}

/** The folder of a sandbox; null when the id is none of ours, so that no ref can point elsewhere. */
export function sandboxFolder(rootDir: string, id: string): string | null {
  return ID.test(id) ? join(rootDir, id) : null;
}

/** The folder that holds all sandboxes of this user, made when absent. Throws CONFIG when others could change it. */
export async function openRootDir(configured: string | undefined): Promise<string> {
  const rootDir = configured ?? join(tmpdir(), `hermes-sandboxes-${userInfo().uid}`);
  await mkdir(rootDir, { recursive: true, mode: 0o700 });
  if (!(await isOurs(rootDir))) {
    const message = `sandbox local: rootDir ${rootDir} must be a folder that belongs to you and that nobody else may write to: chmod 700 it, or choose another`;
    throw new SandboxError('CONFIG', 'provider', message);
  }
  return rootDir;
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

/** Writes the record in one step: a reader sees the old one or the new one. */
export async function writeRecord(folder: string, record: SandboxRecord): Promise<void> {
  const temporary = join(folder, 'ref.json.new');
  await writeFile(temporary, JSON.stringify(record), { mode: 0o600 });
  await rename(temporary, join(folder, 'ref.json'));
}

/**
 * The record of a sandbox; null when there is none, or when it was not written by this user.
 * Processes of an earlier boot are left out: their numbers belong to others now.
 */
export async function readRecord(folder: string, bootId: string): Promise<SandboxRecord | null> {
  if (!(await isOurs(folder))) return null;
  try {
    const record = JSON.parse(await readFile(join(folder, 'ref.json'), 'utf8')) as SandboxRecord;
    return record.bootId === bootId ? record : { ...record, ...NO_PROCESSES };
  } catch {
    // Removed at this moment.
    return null;
  }
}

/** The ids of all sandboxes. Drafts whose maker has died are swept on the way. */
export async function listSandboxIds(rootDir: string): Promise<readonly string[]> {
  const names = await readdir(rootDir);
  for (const name of names) await sweepDraft(rootDir, name);
  return names.filter((name) => ID.test(name));
}

async function sweepDraft(rootDir: string, name: string): Promise<void> {
  const [, pid, startTicks] = DRAFT.exec(name) ?? [];
  if (pid === undefined) return;
  const maker = { pid: Number(pid), startTicks: Number(startTicks) };
  if (!(await isProcessAlive(maker)))
    await rm(join(rootDir, name), { recursive: true, force: true });
}

async function isOurs(path: string): Promise<boolean> {
  try {
    const stat = await lstat(path);
    return stat.isDirectory() && stat.uid === userInfo().uid && (stat.mode & 0o022) === 0;
  } catch {
    return false;
  }
}
