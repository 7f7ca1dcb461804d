import type { ResourceUsage } from '@hermes/protocol';
import { readKeyed, readNumber } from './cgroup-files.ts';
import type { SandboxCgroup } from './cgroups.ts';

/** What a sandbox has used so far, by its control groups; a value that cannot be read is null, never 0. */
export async function readUsage(
  cgroup: SandboxCgroup,
  wallSeconds: number,
): Promise<ResourceUsage> {
  const counters =
    cgroup.version === 1 ? await readVersionOne(cgroup) : await readVersionTwo(cgroup);
  return {
    ...counters,
    wallSeconds,
    diskBytes: null,
    scope: 'sandbox',
    source: `cgroup_v${cgroup.version}`,
    exact: true,
  };
}

type Counters = Pick<ResourceUsage, 'cpuSeconds' | 'peakMemoryBytes' | 'oomKills'>;

async function readVersionOne({ folders }: SandboxCgroup): Promise<Counters> {
  const cpuNs = folders.cpuacct ? await readNumber(folders.cpuacct, 'cpuacct.usage') : null;
  return {
    cpuSeconds: cpuNs === null ? null : cpuNs / 1e9,
    peakMemoryBytes: folders.memory
      ? await readNumber(folders.memory, 'memory.max_usage_in_bytes')
      : null,
    oomKills: folders.memory
      ? await readKeyed(folders.memory, 'memory.oom_control', 'oom_kill')
      : null,
  };
}

async function readVersionTwo({ folders }: SandboxCgroup): Promise<Counters> {
  const cpuUs = folders.cpuacct ? await readKeyed(folders.cpuacct, 'cpu.stat', 'usage_usec') : null;
  return {
    cpuSeconds: cpuUs === null ? null : cpuUs / 1e6,
    peakMemoryBytes: folders.memory ? await readNumber(folders.memory, 'memory.peak') : null,
    oomKills: folders.memory ? await readKeyed(folders.memory, 'memory.events', 'oom_kill') : null,
  };
}
