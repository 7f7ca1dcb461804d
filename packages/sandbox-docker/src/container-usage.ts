import { readFile } from 'node:fs/promises';
import type { ResourceUsage } from '@hermes/protocol';
import { readUsage, type SandboxCgroup } from '@hermes/sandbox/host';
import { z } from 'zod';
import type { Engine } from './engine.ts';
import { ANSWER_MS, limited } from './limited.ts';

/** The control groups of a container whose first process has this pid; null where it is not one of this machine's. */
export async function findCgroup(pid: number, containerId: string): Promise<SandboxCgroup | null> {
  const text = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.includes(containerId));
  const paths = new Map<string, string>();
  for (const line of lines) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    for (const name of controllers.split(',')) paths.set(name, path);
  }
  return versionOne(paths.get('memory'), paths.get('cpuacct')) ?? versionTwo(paths.get(''));
}

function versionOne(memory: string | undefined, cpuacct: string | undefined): SandboxCgroup | null {
  if (memory === undefined || cpuacct === undefined) return null;
  const root = '/sys/fs/cgroup';
  return {
    version: 1,
    folders: { memory: `${root}/memory${memory}`, cpuacct: `${root}/cpuacct${cpuacct}` },
  };
}

/** The line without a name; where version 1 is in use it is there too, but nothing is counted in it. */
function versionTwo(path: string | undefined): SandboxCgroup | null {
  if (path === undefined) return null;
  const folder = `/sys/fs/cgroup${path}`;
  return { version: 2, folders: { memory: folder, cpuacct: folder } };
}

/** What the kernel counts for these groups; null when they are gone. */
export async function cgroupUsage(
  cgroup: SandboxCgroup,
  wallSeconds: number,
): Promise<ResourceUsage | null> {
  const usage = await readUsage(cgroup, wallSeconds);
  return usage.cpuSeconds === null && usage.peakMemoryBytes === null ? null : usage;
}

const statsSchema = z.looseObject({
  cpu_stats: z.looseObject({ cpu_usage: z.looseObject({ total_usage: z.number() }).optional() }),
  memory_stats: z.looseObject({ max_usage: z.number().optional() }).optional(),
});

/** What the daemon says of a container on another machine: it takes a second, and knows the peak of memory with version 1 only. */
export async function engineUsage(
  { docker }: Engine,
  id: string,
  wallSeconds: number,
  oomKills: number,
): Promise<ResourceUsage> {
  const options = { stream: false, abortSignal: limited(ANSWER_MS) } as const;
  const raw: unknown = await docker.getContainer(id).stats(options);
  const { cpu_stats, memory_stats } = statsSchema.parse(raw);
  const nanoseconds = cpu_stats.cpu_usage?.total_usage ?? null;
  return {
    cpuSeconds: nanoseconds === null ? null : nanoseconds / 1e9,
    peakMemoryBytes: memory_stats?.max_usage ?? null,
    wallSeconds,
    diskBytes: null,
    oomKills,
    ...{ scope: 'sandbox', source: 'engine_stats', exact: true },
  };
}
