import { createHash, randomUUID } from 'node:crypto';
import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { currentBoot, mayBeAlive, thisOwner } from '../core/owner.ts';

const NAME = /^hermes-probe-([0-9a-f]{12})\.(\d+)-(\d*)\.[0-9a-f]{8}$/;

/** A name for the control groups of one probe. It says whose they are, so that those of a killed process are known. */
export function newProbeName(): string {
  const { pid, startTicks } = thisOwner();
  return `hermes-probe-${bootMark()}.${pid}-${startTicks}.${randomUUID().slice(0, 8)}`;
}

/** Removes the groups that probes of dead processes have left in a folder. */
export async function sweepProbes(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const goneMeanwhile = () => undefined;
  for (const name of names.filter(isLeftBehind))
    await rmdir(join(parent, name)).catch(goneMeanwhile);
}

function isLeftBehind(name: string): boolean {
  const [, boot, pid, startTicks = ''] = NAME.exec(name) ?? [];
  return boot === bootMark() && !mayBeAlive({ pid: Number(pid), boot: currentBoot(), startTicks });
}

/** Process numbers count within one boot and one process namespace. */
function bootMark(): string {
  return createHash('sha256').update(currentBoot()).digest('hex').slice(0, 12);
}
