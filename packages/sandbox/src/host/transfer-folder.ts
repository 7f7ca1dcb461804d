import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPrivateFolder } from './private-folder.ts';
import { identifyProcess, isProcessAlive } from './process-table.ts';
import { removeTree } from './remove-tree.ts';

const NAME = /^hermes-transfer-(\d+)-(\d+)-/;

/**
 * Makes a folder of this machine for what travels from one sandbox to another; whoever makes it removes it. It carries the name of
 * this process, so that what a killed one leaves is found by `sweepTransferFolders`.
 */
export async function makeTransferFolder(parent: string = tmpdir()): Promise<string> {
  const maker = await identifyProcess(process.pid);
  return mkdtemp(join(parent, `hermes-transfer-${process.pid}-${maker?.startTicks ?? 0}-`));
}

/** Removes the transfer folders whose process has died, as far as they are this user's. Returns how many there were. */
export async function sweepTransferFolders(parent: string = tmpdir()): Promise<number> {
  let swept = 0;
  for (const name of await readdir(parent)) {
    const [, pid, startTicks] = NAME.exec(name) ?? [];
    if (pid === undefined || !(await isPrivateFolder(join(parent, name)))) continue;
    if (await isProcessAlive({ pid: Number(pid), startTicks: Number(startTicks) })) continue;
    await removeTree(join(parent, name));
    swept += 1;
  }
  return swept;
}
