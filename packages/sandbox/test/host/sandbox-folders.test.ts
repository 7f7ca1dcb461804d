import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { identifyProcess } from '../../src/host/process-table.ts';
import { listSandboxIds, removeFolder } from '../../src/host/sandbox-folders.ts';

const id = `hermes-${'0'.repeat(24)}`;
let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-folders-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function folder(name: string): Promise<string> {
  await mkdir(join(root, name, 'root/app'), { recursive: true });
  await writeFile(join(root, name, 'root/app/file'), 'x');
  return join(root, name);
}

it('removes a folder, and one that is gone is no error', async () => {
  const path = await folder(id);
  await removeFolder(path);
  await removeFolder(path);
  expect(await readdir(root)).toEqual([]);
});

it('sweeps what a process that was killed was making or removing', async () => {
  const { pid } = spawnSync('true');
  await folder(`${id}.new-${pid}-1`);
  await folder(`${id}.old-${pid}-1-0a1b`);
  expect(await listSandboxIds(root)).toEqual([]);
  expect(await readdir(root)).toEqual([]);
});

it('leaves alone what a living process makes or removes, and names that are not its own', async () => {
  const startTicks = (await identifyProcess(process.pid))?.startTicks;
  const kept = [
    `${id}.new-${process.pid}-${startTicks}`,
    `${id}.old-${process.pid}-${startTicks}-0a1b`,
    'mine.old-1-1-a',
  ].sort();
  for (const name of kept) await folder(name);
  await folder(id);
  expect(await listSandboxIds(root)).toEqual([id]);
  expect((await readdir(root)).sort()).toEqual([id, ...kept].sort());
});
