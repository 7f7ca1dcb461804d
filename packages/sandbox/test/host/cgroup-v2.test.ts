import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyLimits } from '../../src/host/cgroup-limits.ts';
import { readUsage } from '../../src/host/cgroup-usage.ts';
import { joinFiles, killCgroup, listMembers, planCgroup } from '../../src/host/cgroups.ts';
import { temporaryFolder, writeFiles } from './_folders.ts';

/** The files of a version 2 group with the controllers cpu, memory and pids, as Linux 6.1 writes them. */
const GROUP = {
  'cgroup.kill': '',
  'cgroup.procs': '4711\n4712\n',
  'cpu.max': 'max 100000\n',
  'cpu.stat':
    'usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\nnr_periods 0\nnr_throttled 0\n',
  'memory.events': 'low 0\nhigh 0\nmax 37\noom 2\noom_kill 1\noom_group_kill 0\n',
  'memory.max': 'max\n',
  'memory.peak': '73400320\n',
  'memory.swap.max': 'max\n',
  'pids.max': 'max\n',
};
const CONTROLLERS = ['memory', 'cpu', 'cpuacct', 'pids'] as const;

async function groupIn(parent: string, files: Readonly<Record<string, string>> = GROUP) {
  await writeFiles(join(parent, 'box'), files);
  const folders = Object.fromEntries(CONTROLLERS.map((name) => [name, parent]));
  return planCgroup({ version: 2, folders }, 'box');
}

describe('usage of a version 2 group', () => {
  it('reads CPU time, peak memory and the kills for want of memory', async () => {
    const group = await groupIn(await temporaryFolder());
    expect(await readUsage(group, 7)).toEqual({
      cpuSeconds: 2.5,
      peakMemoryBytes: 73_400_320,
      oomKills: 1,
      wallSeconds: 7,
      diskBytes: null,
      scope: 'sandbox',
      source: 'cgroup_v2',
      exact: true,
    });
  });

  it('is null, not zero, where the kernel is too old for memory.peak', async () => {
    const { 'memory.peak': _, ...older } = GROUP;
    const group = await groupIn(await temporaryFolder(), older);
    expect(await readUsage(group, 7)).toMatchObject({ peakMemoryBytes: null, cpuSeconds: 2.5 });
  });

  it('is null in every value once the group is gone', async () => {
    const group = await groupIn(await temporaryFolder(), {});
    const none = { cpuSeconds: null, peakMemoryBytes: null, oomKills: null };
    expect(await readUsage(group, 7)).toMatchObject(none);
  });
});

describe('limits of a version 2 group', () => {
  it('go into memory.max without swap, cpu.max and pids.max', async () => {
    const parent = await temporaryFolder();
    const group = await groupIn(parent);
    const failed = await applyLimits(group, { memoryBytes: 1 << 28, cpus: 1.5, pids: 300 });
    const read = (file: string) => readFile(join(parent, 'box', file), 'utf8');
    expect(failed).toEqual([]);
    expect(await read('memory.max')).toContain('268435456');
    expect(await read('memory.swap.max')).toMatch(/^0/);
    expect(await read('cpu.max')).toMatch(/^150000 100000/);
    expect(await read('pids.max')).toMatch(/^300/);
  });

  it('name what the kernel does not have, and swap is not among it', async () => {
    const { 'memory.swap.max': _swap, 'pids.max': _pids, ...fewer } = GROUP;
    const group = await groupIn(await temporaryFolder(), fewer);
    expect(await applyLimits(group, { memoryBytes: 1 << 28, pids: 300 })).toEqual(['pids']);
  });
});

describe('members of a version 2 group', () => {
  it('join by one file, are listed and are killed by one write', async () => {
    const parent = await temporaryFolder();
    const group = await groupIn(parent);
    expect(joinFiles(group)).toEqual([join(parent, 'box', 'cgroup.procs')]);
    expect(await listMembers(group)).toEqual([4711, 4712]);
    await killCgroup(group);
    expect(await readFile(join(parent, 'box', 'cgroup.kill'), 'utf8')).toBe('1');
  });
});
