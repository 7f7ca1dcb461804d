import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { probeCgroups } from '../../src/host/probe-cgroups.ts';
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
