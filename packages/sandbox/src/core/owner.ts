import { readFileSync, readlinkSync } from 'node:fs';

/** The process that owns a sandbox. `boot` names the boot and the process namespace in which `pid` counts. */
export type Owner = Readonly<{ pid: number; boot: string; startTicks: string }>;

/** This process. Where the machine does not say which boot it is, `boot` is empty and only expiry counts. */
export function thisOwner(): Owner {
  return { pid: process.pid, boot: currentBoot(), startTicks: startTicks(process.pid) ?? '' };
}

/** The boot id, with the process namespace: a pid means nothing in another one. */
export function currentBoot(): string {
  const boot = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = tryRead(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, ''));
  return boot === null ? '' : `${boot}.${namespace ?? '0'}`;
}

/** False only when the owner surely is gone: same boot, and its pid is free or another process's by now. */
export function mayBeAlive(owner: Owner): boolean {
  const here = currentBoot();
  if (here === '' || owner.boot !== here) return true;
  const ticks = startTicks(owner.pid);
  if (ticks === null) return false;
  return owner.startTicks === '' || ticks === owner.startTicks;
}

/** When a process started, in ticks since the boot; null when there is none (a zombie counts as none). */
function startTicks(pid: number): string | null {
  const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
}

/** /proc says "no" by failing; nothing else is read here. */
function tryRead(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
