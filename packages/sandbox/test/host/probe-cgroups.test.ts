import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { probeCgroups } from '../../src/host/probe-cgroups.ts';
import { newProbeName, sweepProbes } from '../../src/host/probe-name.ts';
import { temporaryFolder, writeFiles } from './_folders.ts';

it('finds nothing where no control groups are mounted', async () => {
  expect(await probeCgroups(await temporaryFolder(), '0::/\n', 'probe')).toBeNull();
});

it('claims nothing for a version 2 folder that is not really the kernel’s', async () => {
  const root = await temporaryFolder();
  await writeFiles(root, {
    'cgroup.controllers': 'cpu memory pids\n',
    'cgroup.subtree_control': '',
    'user.slice/cgroup.subtree_control': '',
  });
  expect(await probeCgroups(root, '0::/user.slice\n', 'probe')).toBeNull();
  expect((await readdir(root)).sort()).toEqual([
    'cgroup.controllers',
    'cgroup.subtree_control',
    'user.slice',
  ]);
});

it('leaves no group behind on this machine', async () => {
  const own = await readFile('/proc/self/cgroup', 'utf8');
  const host = await probeCgroups('/sys/fs/cgroup', own, 'hermes-probe-test');
  for (const folder of Object.values(host?.folders ?? {})) {
    expect(existsSync(`${folder}/hermes-probe-test`)).toBe(false);
  }
});

it('removes the groups that a probe of a killed process has left, and no others', async () => {
  const parent = await temporaryFolder();
  const own = newProbeName();
  // The number of a process that runs, in a life before: it has another start.
  const ofDeadProcess = own.replace(`.${process.pid}-`, `.${process.pid}-9`);
  const ofOtherBoot = ofDeadProcess.replace(/probe-[0-9a-f]{12}/, 'probe-000000000000');
  const kept = [own, ofOtherBoot, 'hermes-probe-test', 'system.slice'];
  for (const name of [...kept, ofDeadProcess]) await mkdir(join(parent, name));
  await sweepProbes(parent);
  expect((await readdir(parent)).sort()).toEqual(kept.sort());
});
