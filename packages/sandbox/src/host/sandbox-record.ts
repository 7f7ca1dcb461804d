import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Capabilities, SandboxRef } from '../types.ts';
import type { SandboxCgroup } from './cgroups.ts';
import type { SandboxPlaces } from './launcher.ts';
import { isPrivateFolder } from './private-folder.ts';
import type { ProcessId } from './process-table.ts';

/** What is known of a sandbox on disk (`ref.json`), enough to join, end and remove it from another process. */
export type SandboxRecord = SandboxPlaces &
  SandboxTraces &
  Readonly<{
    ref: SandboxRef;
    bootId: string;
    isolation: Capabilities['isolation'];
    createdAtMs: number;
    expiresAtMs: number;
    /** The process that makes the sandbox. */
    creator: ProcessId | null;
  }>;

/** By what the processes of a sandbox are found, besides the mark in their environment. */
export type SandboxTraces = Readonly<{
  /** The host's view of the supervisor, or of the program around it. */
  supervisor: ProcessId | null;
  /** The first process of the sandbox's own process namespace, as the host sees it; null where it has none. */
  init: ProcessId | null;
  cgroup: SandboxCgroup | null;
}>;

const NO_PROCESSES = { creator: null, supervisor: null, init: null };

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
  if (!(await isPrivateFolder(folder))) return null;
  try {
    const record = JSON.parse(await readFile(join(folder, 'ref.json'), 'utf8')) as SandboxRecord;
    return record.bootId === bootId ? record : { ...record, ...NO_PROCESSES };
  } catch {
    // Removed at this moment.
    return null;
  }
}
