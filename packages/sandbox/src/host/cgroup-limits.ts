import { writeControl } from './cgroup-files.ts';
import type { SandboxCgroup } from './cgroups.ts';

/** Limits of one sandbox; absent means unlimited. */
export type CgroupLimits = Readonly<{ cpus?: number; memoryBytes?: number; pids?: number }>;

const CPU_PERIOD_US = 100_000;
type Step = readonly [folder: string | undefined, file: string, value: string, isOptional?: true];

/** Writes the limits. Returns the names of those that the kernel did not take. */
export async function applyLimits(
  cgroup: SandboxCgroup,
  limits: CgroupLimits,
): Promise<readonly string[]> {
  const stepsOf = cgroup.version === 1 ? versionOneSteps : versionTwoSteps;
  const failed: string[] = [];
  for (const [name, steps] of Object.entries(stepsOf(cgroup.folders, limits))) {
    for (const [folder, file, value, isOptional] of steps) {
      const isWritten = folder !== undefined && (await writeControl(folder, file, value));
      if (!isWritten && isOptional !== true && !failed.includes(name)) failed.push(name);
    }
  }
  return failed;
}

type Folders = SandboxCgroup['folders'];

function versionOneSteps(folders: Folders, limits: CgroupLimits): Record<string, Step[]> {
  const { cpus, memoryBytes, pids } = limits;
  const memory = String(memoryBytes);
  return {
    ...(memoryBytes !== undefined && {
      memoryBytes: [
        [folders.memory, 'memory.limit_in_bytes', memory],
        // Memory and swap together, where swap is accounted: else the limit only moves pages to the disk.
        [folders.memory, 'memory.memsw.limit_in_bytes', memory, true],
      ],
    }),
    ...(cpus !== undefined && {
      cpus: [
        [folders.cpu, 'cpu.cfs_period_us', String(CPU_PERIOD_US)],
        [folders.cpu, 'cpu.cfs_quota_us', quotaUs(cpus)],
      ],
    }),
    ...(pids !== undefined && { pids: [[folders.pids, 'pids.max', String(pids)]] }),
  };
}

function versionTwoSteps(folders: Folders, limits: CgroupLimits): Record<string, Step[]> {
  const { cpus, memoryBytes, pids } = limits;
  return {
    ...(memoryBytes !== undefined && {
      memoryBytes: [
        [folders.memory, 'memory.max', String(memoryBytes)],
        [folders.memory, 'memory.swap.max', '0', true],
      ],
    }),
    ...(cpus !== undefined && {
      cpus: [[folders.cpu, 'cpu.max', `${quotaUs(cpus)} ${CPU_PERIOD_US}`]],
    }),
    ...(pids !== undefined && { pids: [[folders.pids, 'pids.max', String(pids)]] }),
  };
}

// The kernel refuses a quota below one millisecond.
function quotaUs(cpus: number): string {
  return String(Math.max(1000, Math.round(cpus * CPU_PERIOD_US)));
}
