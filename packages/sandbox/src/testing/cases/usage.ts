import type { ResourceUsage } from '@hermes/protocol';
import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { output, sh } from './_run.ts';

const mebibyte = 1024 * 1024;
const spin = 'i=0; while [ $i -lt 2000000 ]; do i=$((i + 1)); done';

/** What a sandbox used: measured within 20 %, or null, and never a zero that nobody measured. */
export const usageCases: readonly ConformanceCase[] = [
  {
    group: 'usage',
    name: 'processor time of a known program is right within 20 %, an estimate that says so, or null',
    needs: ['shell'],
    proves: ['usage.cpu'],
    run: async ({ open, capabilities }) => {
      const sandbox = await open();
      const before = await sandbox.usage();
      const known = ownSeconds(await output(sandbox, `${spin}; times`));
      const after = await sandbox.usage();
      if (!capabilities.usage.cpu) return expectEstimate(after, 'cpuSeconds');
      const measured = (after?.cpuSeconds ?? 0) - (before?.cpuSeconds ?? 0);
      // The starting shell and the supervisor itself cost some hundredths, which the program does not know of.
      expect(measured).toBeGreaterThan(known * 0.8 - 0.05);
      expect(measured).toBeLessThan(known * 1.2 + 0.1);
    },
  },
  {
    group: 'usage',
    name: 'peak memory of a known program is right within 20 %, an estimate that says so, or null',
    needs: ['shell'],
    proves: ['usage.memory'],
    run: async ({ open, capabilities }) => {
      const sandbox = await open();
      const held = 200 * mebibyte;
      await output(sandbox, `head -c ${held} /dev/zero | tail | wc -c`);
      const usage = await sandbox.usage();
      if (!capabilities.usage.memory) return expectEstimate(usage, 'peakMemoryBytes');
      expect(usage?.peakMemoryBytes).toBeGreaterThan(held * 0.8);
      // Buffers and the supervisor's own memory come on top of the program.
      expect(usage?.peakMemoryBytes).toBeLessThan(held * 1.2 + 32 * mebibyte);
    },
  },
  {
    group: 'usage',
    name: 'a kill by the memory limit is counted where such kills can be seen',
    needs: ['shell', 'resourceLimits.memory'],
    proves: ['usage.oom'],
    run: async ({ open, capabilities }) => {
      const sandbox = await open({ resources: { memoryBytes: 128 * mebibyte } });
      await sh(sandbox, 'exec tail < /dev/zero > /dev/null');
      const usage = await sandbox.usage();
      if (!capabilities.usage.oom) return expect(usage?.oomKills ?? null).toBeNull();
      expect(usage?.oomKills).toBeGreaterThanOrEqual(1);
    },
  },
  {
    group: 'usage',
    name: 'the outcome carries what is claimed, and names what could not be measured',
    needs: [],
    run: async ({ open, capabilities }) => {
      const { usage, gaps } = await (await open()).dispose();
      const measured = [isMeasured(usage, 'cpuSeconds'), isMeasured(usage, 'peakMemoryBytes')];
      if (capabilities.usage.cpu) expect(measured[0]).toBe(true);
      if (capabilities.usage.memory) expect(measured[1]).toBe(true);
      if (measured.includes(false)) expect(gaps.length).toBeGreaterThan(0);
    },
  },
];

/** Without the claim a value is an estimate that says so, or null; a zero is nobody's measurement. */
function expectEstimate(usage: ResourceUsage | null, key: 'cpuSeconds' | 'peakMemoryBytes'): void {
  const value = usage?.[key] ?? null;
  if (value === null) return;
  expect(value).toBeGreaterThan(0);
  expect(usage?.exact).toBe(false);
}

function isMeasured(usage: ResourceUsage | null, key: 'cpuSeconds' | 'peakMemoryBytes'): boolean {
  return (usage?.[key] ?? null) !== null;
}

/** User and system seconds of the shell itself: the first line of `times`. */
function ownSeconds(times: string): number {
  const [firstLine = ''] = times.trim().split('\n');
  const parts = [...firstLine.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
