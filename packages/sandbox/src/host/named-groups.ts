import { readdir } from 'node:fs/promises';
import { LABEL } from '../core/labels.ts';
import { currentBoot } from '../core/owner.ts';
import type { SandboxRef } from '../types.ts';
import { planCgroup, type SandboxCgroup } from './cgroups.ts';
import type { ProcessId } from './process-table.ts';
import type { SandboxHost } from './sandbox-host.ts';

/** A sandbox's control groups as they are found by their name, which says whose they are. */
export type NamedGroup = Readonly<{ id: string; creator: ProcessId; cgroup: SandboxCgroup }>;

const NAME = /^(hermes-[0-9a-f]{24})\.([0-9a-f]{12})\.(\d+)-(\d+)$/;

/** The groups of a new sandbox; null where there are none. Their name tells root folder and maker, should the folder be lost. */
export function nameGroup(
  { cgroups, rootId }: SandboxHost,
  id: string,
  creator: ProcessId | null,
): SandboxCgroup | null {
  const maker = `${creator?.pid ?? 0}-${creator?.startTicks ?? 0}`;
  return cgroups === null ? null : planCgroup(cgroups, `${id}.${rootId}.${maker}`);
}

/** The groups that sandboxes of this root folder have made here, whether or not their folder is still there. */
export async function findGroups(host: SandboxHost): Promise<readonly NamedGroup[]> {
  const { cgroups, rootId } = host;
  if (cgroups === null) return [];
  const parents = new Set(Object.values(cgroups.folders));
  const names = await Promise.all([...parents].map((parent) => readdir(parent).catch(() => [])));
  return [...new Set(names.flat())].flatMap((name) => {
    const [, id = '', root, pid, startTicks] = NAME.exec(name) ?? [];
    const creator = { pid: Number(pid), startTicks: Number(startTicks) };
    return root === rootId ? [{ id, creator, cgroup: planCgroup(cgroups, name) }] : [];
  });
}

/** A ref for groups whose sandbox folder is gone: the reaper judges it by its maker, as any other. */
export function lostRef(provider: string, { id, creator }: NamedGroup): SandboxRef {
  const labels = {
    [LABEL.sandbox]: '1',
    [LABEL.ownerPid]: String(creator.pid),
    [LABEL.ownerBoot]: currentBoot(),
    [LABEL.ownerStart]: String(creator.startTicks),
  };
  return { provider, id, name: id, labels };
}
