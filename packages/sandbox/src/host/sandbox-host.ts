import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { currentBoot } from '../core/owner.ts';
import { openPrivateFolder } from './private-folder.ts';
import { type CgroupHost, probeCgroups } from './probe-cgroups.ts';
import { newProbeName } from './probe-name.ts';

/** What a user may set for every provider on this machine. */
export type SandboxHostOptions = Readonly<{
  /** Folder that holds the sandboxes. Default: `hermes-sandboxes-<uid>` in the temporary folder. */
  rootDir?: string | undefined;
  /** Where the control groups are mounted. Default `/sys/fs/cgroup`. */
  cgroupRoot?: string;
}>;

/** This machine as a place for sandboxes, found out once by trying it. */
export type SandboxHost = Readonly<{
  rootDir: string;
  /** Stands for `rootDir` in the names of control groups, so that these are found when the folder is gone. */
  rootId: string;
  /** Null where control groups cannot be made. */
  cgroups: CgroupHost | null;
  bootId: string;
}>;

/** Opens the folder of the sandboxes and tries the control groups. Throws CONFIG when others could write to the folder. */
export async function openSandboxHost(options: SandboxHostOptions = {}): Promise<SandboxHost> {
  const configured = options.rootDir ?? join(tmpdir(), `hermes-sandboxes-${userInfo().uid}`);
  const rootDir = await openPrivateFolder(configured);
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const cgroupRoot = options.cgroupRoot ?? '/sys/fs/cgroup';
  const cgroups = await probeCgroups(cgroupRoot, own, newProbeName());
  const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return { rootDir, rootId: rootIdOf(rootDir), cgroups, bootId };
}

/** With the process namespace: the process numbers in the names of groups mean nothing in another one. */
function rootIdOf(rootDir: string): string {
  return createHash('sha256').update(`${currentBoot()}\0${rootDir}`).digest('hex').slice(0, 12);
}
