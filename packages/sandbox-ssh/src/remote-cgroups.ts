import type { ResourceUsage } from '@hermes/protocol';
import type { ResourceLimits } from '@hermes/sandbox';
import {
  type CgroupController,
  type CgroupHost,
  limitWrites,
  type SandboxCgroup,
} from '@hermes/sandbox/host';
import type { Errands } from './errands.ts';
import { PROBE_CGROUPS, READ_CGROUP_USAGE } from './scripts/cgroups.ts';

const CONTROLLERS: readonly string[] = ['memory', 'cpu', 'cpuacct', 'pids'];

/** For a sandbox whose spec bounds no processes: a fork bomb ends that sandbox, and not the host. */
const MOST_PROCESSES = 2048;

/** Where the account may make control groups on the host, found out by making one; null where it may not. */
export async function probeRemoteCgroups(
  errands: Errands,
  cgroupRoot: string,
): Promise<CgroupHost | null> {
  const { output } = await errands.run(PROBE_CGROUPS, { args: [cgroupRoot] });
  const lines = output.split('\n').map((line) => splitAtSpace(line));
  const folders = lines.filter((line): line is readonly [CgroupController, string] =>
    CONTROLLERS.includes(line[0]),
  );
  if (folders.length === 0) return null;
  const version = lines.some(([name, value]) => name === 'version' && value === '2') ? 2 : 1;
  return { version, folders: Object.fromEntries(folders) };
}

/** What the script that makes a sandbox is told: its groups, and what to write into them. */
export function cgroupVariables(
  cgroup: SandboxCgroup | null,
  { cpus, memoryBytes, pids }: ResourceLimits = {},
): Readonly<Record<'groups' | 'limits', string>> {
  if (cgroup === null) return { groups: '', limits: '' };
  const bound = pids ?? (cgroup.folders.pids === undefined ? undefined : MOST_PROCESSES);
  const writes = limitWrites(cgroup, {
    ...(cpus === undefined ? {} : { cpus }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(bound === undefined ? {} : { pids: bound }),
  });
  const lines = writes.map(({ limit, folder = '', file, value, isOptional }) =>
    [limit, isOptional ? 'may' : 'must', `${folder}/${file}`, value].join(' '),
  );
  return { groups: asLines(groupFolders(cgroup)), limits: asLines(lines) };
}

/** What a sandbox has used so far, by its control groups; a value that cannot be read is null, never 0. */
export async function readRemoteUsage(
  errands: Errands,
  { version, folders }: SandboxCgroup,
  wallSeconds: number,
): Promise<ResourceUsage> {
  const args = [String(version), folders.cpuacct ?? '', folders.memory ?? ''];
  const { output } = await errands.run(READ_CGROUP_USAGE, { args });
  const found = new Map(output.split('\n').map((line) => splitAtSpace(line)));
  const number = (name: string) => {
    const text = found.get(name);
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
  };
  const seconds = (name: string, perSecond: number) => {
    const value = number(name);
    return value === null ? null : value / perSecond;
  };
  return {
    cpuSeconds: version === 1 ? seconds('cpuNs', 1e9) : seconds('cpuUs', 1e6),
    peakMemoryBytes: number('peakMemoryBytes'),
    oomKills: number('oomKills'),
    wallSeconds,
    diskBytes: null,
    scope: 'sandbox',
    source: `cgroup_v${version}`,
    exact: true,
  };
}

function groupFolders({ folders }: SandboxCgroup): string[] {
  return [...new Set(Object.values(folders))];
}

function asLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function splitAtSpace(line: string): readonly [string, string] {
  const at = line.indexOf(' ');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
