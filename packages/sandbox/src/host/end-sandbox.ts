import { SandboxError } from '../types.ts';
import { removeCgroup } from './cgroups.ts';
import { killSandboxProcesses } from './kill-sandbox.ts';
import { findGroups } from './named-groups.ts';
import { removeFolder, sandboxFolder } from './sandbox-folders.ts';
import type { SandboxHost } from './sandbox-host.ts';
import { readRecord, type SandboxTraces } from './sandbox-record.ts';

/**
 * Ends and removes all that there is of a sandbox, as far as it is ours: processes, control groups (also those whose
 * folder is lost), folder. One that is gone is no error. Throws SANDBOX_UNHEALTHY when something could not be ended.
 */
export async function endSandbox(host: SandboxHost, id: string): Promise<void> {
  const folder = sandboxFolder(host.rootDir, id);
  if (folder === null) return;
  const record = await readRecord(folder, host.bootId);
  if (record !== null) await endProcesses(id, record);
  for (const group of await findGroups(host)) {
    if (group.id === id) await endProcesses(id, { ...group, supervisor: null, init: null });
  }
  await removeFolder(folder);
}

async function endProcesses(id: string, traces: SandboxTraces): Promise<void> {
  const left = await killSandboxProcesses(id, traces);
  if (left.length > 0) {
    const message = `sandbox ${id}: processes ${left.join(', ')} could not be ended`;
    throw new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message);
  }
  await removeCgroup(traces.cgroup);
}
