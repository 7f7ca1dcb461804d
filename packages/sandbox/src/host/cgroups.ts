import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readControl, removeGroup, writeControl } from './cgroup-files.ts';
import type { CgroupController, CgroupHost } from './probe-cgroups.ts';

/** The control groups of one sandbox. With version 2 all controllers share one folder. */
export type SandboxCgroup = Readonly<{
  version: 1 | 2;
  folders: Readonly<Partial<Record<CgroupController, string>>>;
}>;

/** Names the control groups of a sandbox without making them, so that they can be recorded first. */
export function planCgroup(host: CgroupHost, name: string): SandboxCgroup {
  const entries = Object.entries(host.folders).map(([controller, folder]) => [
    controller,
    join(folder, name),
  ]);
  return { version: host.version, folders: Object.fromEntries(entries) };
}

/** Makes the planned groups. Throws when one cannot be made. */
export async function createCgroup(cgroup: SandboxCgroup): Promise<void> {
  for (const folder of foldersOf(cgroup)) await mkdir(folder, { recursive: true });
}

/** The files into which a process writes itself to join. */
export function joinFiles(cgroup: SandboxCgroup | null): readonly string[] {
  return cgroup === null ? [] : foldersOf(cgroup).map((folder) => join(folder, 'cgroup.procs'));
}

/** Kills everything inside in one step, where the kernel has `cgroup.kill` (version 2). */
export async function killCgroup(cgroup: SandboxCgroup | null): Promise<void> {
  if (cgroup?.version !== 2) return;
  for (const folder of foldersOf(cgroup)) await writeControl(folder, 'cgroup.kill', '1');
}

/** The pids in a sandbox's control groups; none when these are gone. */
export async function listMembers(cgroup: SandboxCgroup | null): Promise<readonly number[]> {
  const folders = cgroup === null ? [] : foldersOf(cgroup);
  const texts = await Promise.all(folders.map((folder) => readControl(folder, 'cgroup.procs')));
  return texts.flatMap((text) => (text ?? '').split('\n').map(Number)).filter((pid) => pid > 0);
}

/** Removes the groups. Throws when something in them still runs. */
export async function removeCgroup(cgroup: SandboxCgroup | null): Promise<void> {
  for (const folder of cgroup === null ? [] : foldersOf(cgroup)) await removeGroup(folder);
}

function foldersOf(cgroup: SandboxCgroup): readonly string[] {
  return [...new Set(Object.values(cgroup.folders))];
}
