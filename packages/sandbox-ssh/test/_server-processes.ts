import { readFile } from 'node:fs/promises';
import { listProcesses, signalProcess } from '@hermes/sandbox/host';

/** Kills a server with all of its sessions, and nothing of what these had started: that is how a host's sshd dies. */
export async function killServer(pid: number): Promise<void> {
  const table = await listProcesses();
  const members = new Set([pid]);
  for (const one of members)
    for (const { pid: child, parent } of table)
      if (parent === one && (await nameOf(child)) === 'sshd') members.add(child);
  for (const one of members) signalProcess(one, 'SIGKILL');
}

async function nameOf(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
}
