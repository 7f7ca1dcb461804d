import { execFile } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readControl, removeGroup, writeControl } from './cgroup-files.ts';
import { sweepProbes } from './probe-name.ts';

/** cpuacct stands for "CPU time can be read"; the others are limits. */
export type CgroupController = 'memory' | 'cpu' | 'cpuacct' | 'pids';

/** Where groups of our own can be made: the folder to make them in, by controller. */
export type CgroupHost = Readonly<{
  version: 1 | 2;
  folders: Readonly<Partial<Record<CgroupController, string>>>;
}>;

const run = promisify(execFile);
/** A controller is there when a group has this file. */
const PROOF: Record<1 | 2, Record<CgroupController, string>> = {
  1: {
    memory: 'memory.limit_in_bytes',
    cpu: 'cpu.cfs_quota_us',
    cpuacct: 'cpuacct.usage',
    pids: 'pids.max',
  },
  2: { memory: 'memory.max', cpu: 'cpu.max', cpuacct: 'cpu.stat', pids: 'pids.max' },
};

/**
 * Finds where this process may make control groups, by making one, moving a process into it and removing it again.
 * Tried in this order: below our own group (so that limits around us go on to hold), beside it, below the root.
 * probeName: a name that no other probe uses. own: the text of `/proc/self/cgroup`.
 */
export async function probeCgroups(
  root: string,
  own: string,
  probeName: string,
): Promise<CgroupHost | null> {
  const isUnified = (await readControl(root, 'cgroup.controllers')) !== null;
  const folders = isUnified
    ? await probeUnified(root, own, probeName)
    : await probeLegacy(root, own, probeName);
  return Object.keys(folders).length === 0 ? null : { version: isUnified ? 2 : 1, folders };
}

async function probeLegacy(
  root: string,
  own: string,
  probeName: string,
): Promise<CgroupHost['folders']> {
  const found: Partial<Record<CgroupController, string>> = {};
  for (const controller of ['memory', 'cpu', 'cpuacct', 'pids'] as const) {
    const line = own
      .split('\n')
      .find((text) => text.split(':')[1]?.split(',').includes(controller));
    const mount = join(root, controller);
    for (const parent of candidates(mount, line?.split(':')[2] ?? '/')) {
      if ((await provenControllers(1, parent, probeName)).includes(controller)) {
        found[controller] = parent;
        break;
      }
    }
  }
  return found;
}

async function probeUnified(
  root: string,
  own: string,
  probeName: string,
): Promise<CgroupHost['folders']> {
  const line = own.split('\n').find((text) => text.startsWith('0::'));
  let best: CgroupHost['folders'] = {};
  for (const parent of candidates(root, line?.slice('0::'.length) ?? '/')) {
    // Refused where the parent itself holds processes; then the next place is tried.
    for (const name of ['memory', 'cpu', 'pids'])
      await writeControl(parent, 'cgroup.subtree_control', `+${name}`);
    const proven = await provenControllers(2, parent, probeName);
    // CPU time is counted everywhere, limits are not: the place with the most controllers wins.
    if (proven.length > Object.keys(best).length) {
      best = Object.fromEntries(proven.map((name) => [name, parent]));
    }
  }
  return best;
}

function candidates(mount: string, ownPath: string): readonly string[] {
  const own = join(mount, ownPath).replace(/\/$/, '');
  const places = own.startsWith(mount) && own !== mount ? [own, dirname(own), mount] : [mount];
  return [...new Set(places)];
}

async function provenControllers(
  version: 1 | 2,
  parent: string,
  probeName: string,
): Promise<readonly CgroupController[]> {
  await sweepProbes(parent);
  const probe = join(parent, probeName);
  try {
    await mkdir(probe);
  } catch {
    return [];
  }
  try {
    // In a folder that is none of the kernel's the file is absent, and the shell would make it.
    await access(join(probe, 'cgroup.procs'), constants.W_OK);
    await run('/bin/sh', ['-c', 'echo $$ > "$1"', 'sh', join(probe, 'cgroup.procs')]);
    return await controllersOf(version, probe);
  } catch {
    return [];
  } finally {
    await removeGroup(probe);
  }
}

async function controllersOf(version: 1 | 2, folder: string): Promise<readonly CgroupController[]> {
  const proofs = Object.entries(PROOF[version]) as [CgroupController, string][];
  const found = await Promise.all(proofs.map(([, file]) => isThere(join(folder, file))));
  return proofs.flatMap(([controller], index) => (found[index] ? [controller] : []));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
