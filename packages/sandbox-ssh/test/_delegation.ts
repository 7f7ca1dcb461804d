import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CgroupHost, probeCgroups } from '@hermes/sandbox/host';
import { onTestFinished } from 'vitest';

const GIVEN = ['cgroup.procs', 'cgroup.subtree_control', 'tasks'];

/** Control groups that belong to an account, as a service manager delegates them: gone after the test. */
export async function delegateCgroups(user: string): Promise<readonly string[]> {
  const name = `hermes-ssh-delegated-${process.pid}`;
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  const host = await probeCgroups('/sys/fs/cgroup', own, `hermes-ssh-probe-${process.pid}`);
  const uid = Number(execFileSync('id', ['-u', user]));
  return parentsOf(host).map((parent) => {
    const group = join(parent, name);
    const leaf = join(group, 'leaf');
    mkdirSync(leaf, { recursive: true });
    onTestFinished(() => {
      for (const folder of [leaf, group]) rmdirSync(folder);
    });
    for (const folder of [group, leaf]) give(folder, uid);
    return leaf;
  });
}

function parentsOf(host: CgroupHost | null): readonly string[] {
  return [...new Set(Object.values(host?.folders ?? {}))];
}

function give(folder: string, uid: number): void {
  chownSync(folder, uid, uid);
  for (const file of GIVEN) {
    const path = join(folder, file);
    if (existsSync(path)) chownSync(path, uid, uid);
  }
}
