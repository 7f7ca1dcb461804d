import { writeControl } from './cgroup-files.ts';
import type { SandboxCgroup } from './cgroups.ts';

/** Limits of one sandbox; absent means unlimited. */
export type CgroupLimits = Readonly<{ cpus?: number; memoryBytes?: number; pids?: number }>;

/** One control file to be written for a limit. */
export type LimitWrite = Readonly<{
  limit: keyof CgroupLimits;
  /** Undefined where the controller is missing: then the limit cannot be kept. */
  folder: string | undefined;
  file: string;
  value: string;
  /** The limit holds without it. */
  isOptional: boolean;
}>;

const CPU_PERIOD_US = 100_000;

/** What has to be written, in this order, so that the limits hold. */
export function limitWrites(cgroup: SandboxCgroup, limits: CgroupLimits): readonly LimitWrite[] {
  const { version, folders } = cgroup;
  return version === 1 ? versionOneWrites(folders, limits) : versionTwoWrites(folders, limits);
}

/** Writes the limits. Returns the names of those that the kernel did not take. */
export async function applyLimits(
  cgroup: SandboxCgroup,
  limits: CgroupLimits,
): Promise<readonly string[]> {
  const failed = new Set<string>();
  for (const { limit, folder, file, value, isOptional } of limitWrites(cgroup, limits)) {
    const isWritten = folder !== undefined && (await writeControl(folder, file, value));
    if (!isWritten && !isOptional) failed.add(limit);
  }
  return [...failed];
}

type Folders = SandboxCgroup['folders'];

function versionOneWrites(folders: Folders, limits: CgroupLimits): LimitWrite[] {
  const { cpus, memoryBytes, pids } = limits;
  const memory = {
    limit: 'memoryBytes',
    folder: folders.memory,
    value: String(memoryBytes),
  } as const;
  const cpu = { limit: 'cpus', folder: folders.cpu, isOptional: false } as const;
  return [
    ...(memoryBytes === undefined
      ? []
      : [
          { ...memory, file: 'memory.limit_in_bytes', isOptional: false },
          // Memory and swap together, where swap is accounted: else the limit only moves pages to the disk.
          { ...memory, file: 'memory.memsw.limit_in_bytes', isOptional: true },
        ]),
    ...(cpus === undefined
      ? []
      : [
          { ...cpu, file: 'cpu.cfs_period_us', value: String(CPU_PERIOD_US) },
          { ...cpu, file: 'cpu.cfs_quota_us', value: quotaUs(cpus) },
        ]),
    ...(pids === undefined ? [] : [pidsWrite(folders, pids)]),
  ];
}

function versionTwoWrites(folders: Folders, limits: CgroupLimits): LimitWrite[] {
  const { cpus, memoryBytes, pids } = limits;
  const memory = { limit: 'memoryBytes', folder: folders.memory } as const;
  return [
    ...(memoryBytes === undefined
      ? []
      : [
          { ...memory, file: 'memory.max', value: String(memoryBytes), isOptional: false },
          { ...memory, file: 'memory.swap.max', value: '0', isOptional: true },
        ]),
    ...(cpus === undefined ? [] : [cpuMaxWrite(folders, cpus)]),
    ...(pids === undefined ? [] : [pidsWrite(folders, pids)]),
  ];
}

function cpuMaxWrite(folders: Folders, cpus: number): LimitWrite {
  const value = `${quotaUs(cpus)} ${CPU_PERIOD_US}`;
  return { limit: 'cpus', folder: folders.cpu, file: 'cpu.max', value, isOptional: false };
}

function pidsWrite(folders: Folders, pids: number): LimitWrite {
  const value = String(pids);
  return { limit: 'pids', folder: folders.pids, file: 'pids.max', value, isOptional: false };
}

// The kernel refuses a quota below one millisecond.
function quotaUs(cpus: number): string {
  return String(Math.max(1000, Math.round(cpus * CPU_PERIOD_US)));
}
