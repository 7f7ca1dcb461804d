import { setTimeout as sleep } from 'node:timers/promises';
import { killCgroup, listMembers } from './cgroups.ts';
import {
  hasEnvironmentEntry,
  isProcessAlive,
  listProcesses,
  type ProcessEntry,
  signalProcess,
} from './process-table.ts';
import type { SandboxTraces } from './sandbox-record.ts';

const PASS_LIMIT = 300;
const PASS_PAUSE_MS = 10;

/** The variable that every process of a sandbox carries, with the sandbox's id as its value. */
export const MARK_VARIABLE = 'HERMES_SANDBOX';

/**
 * Ends every process of a sandbox: the recorded ones, those in its control groups, those that carry its mark, and
 * all their descendants. Looks again until a pass finds none. Returns the pids that could not be ended.
 */
export async function killSandboxProcesses(
  id: string,
  traces: SandboxTraces,
): Promise<readonly number[]> {
  let left: readonly number[] = [];
  for (let pass = 0; pass < PASS_LIMIT; pass += 1) {
    // One step where it exists: the end of a namespace's first process ends all others, as does cgroup.kill.
    if (traces.init !== null && (await isProcessAlive(traces.init)))
      signalProcess(traces.init.pid, 'SIGKILL');
    await killCgroup(traces.cgroup);
    left = await findSandboxProcesses(id, traces);
    if (left.length === 0) return left;
    // The supervisor adopts orphans: while it lives, what a kill leaves behind can be found below it.
    const others = left.filter((pid) => pid !== traces.supervisor?.pid);
    for (const pid of others.length > 0 ? others : left) signalProcess(pid, 'SIGKILL');
    await sleep(PASS_PAUSE_MS);
  }
  return left;
}

async function findSandboxProcesses(id: string, traces: SandboxTraces): Promise<readonly number[]> {
  const table = await listProcesses();
  const grouped = new Set(await listMembers(traces.cgroup));
  const mark = `${MARK_VARIABLE}=${id}`;
  const marked = await Promise.all(table.map(({ pid }) => hasEnvironmentEntry(pid, mark)));
  const isRoot = (entry: ProcessEntry, index: number) =>
    grouped.has(entry.pid) || marked[index] === true || isRecorded(entry, traces);
  return withDescendants(table, table.filter(isRoot));
}

function isRecorded(entry: ProcessEntry, { supervisor, init }: SandboxTraces): boolean {
  return [supervisor, init].some(
    (known) => known?.pid === entry.pid && known.startTicks === entry.startTicks,
  );
}

function withDescendants(table: readonly ProcessEntry[], roots: readonly ProcessEntry[]): number[] {
  const members = new Set(roots.map(({ pid }) => pid));
  for (const pid of members) {
    for (const entry of table) if (entry.parent === pid) members.add(entry.pid);
  }
  return [...members];
}
