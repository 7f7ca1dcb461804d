import { expect } from 'vitest';
import type { ExecResult } from '../../types.ts';
import type { ConformanceCase } from '../conformance-case.ts';
import { decode, expectExit, sh } from './_run.ts';

const flood = 200_000_000;
const mebibyte = 1024 * 1024;
const floodScript = `printf BEGIN; head -c ${flood} /dev/zero | tr '\\0' x; printf END`;

/** Caps: exact counts, bounded memory, nothing blocked. */
export const outputCases: readonly ConformanceCase[] = [
  {
    group: 'output',
    name: '200 MB are capped with exact counts, head, tail and a marker, in bounded memory',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const peak = watchMemory();
      const result = await sh(sandbox, floodScript, { output: { maxBytes: mebibyte } });
      const grownBytes = peak.stop();
      expectExit(result, 0);
      expectCounts(result, flood + 8, mebibyte);
      const text = result.stdout.text();
      expect([text.slice(0, 5), text.slice(-3)]).toEqual(['BEGIN', 'END']);
      expect(text).toContain(String(result.stdout.droppedBytes));
      // Twice the cap, and 64 MiB for what the garbage collector has not yet taken.
      expect(grownBytes).toBeLessThan(2 * mebibyte + 64 * mebibyte);
    },
  },
  ...(['head', 'tail'] as const).map(
    (keep): ConformanceCase => ({
      group: 'output',
      name: `only the ${keep} is kept when asked for`,
      needs: ['shell'],
      run: async ({ sandbox }) => {
        const script = `printf BEGIN; head -c 500000 /dev/zero | tr '\\0' x; printf END`;
        const result = await sh(sandbox, script, { output: { maxBytes: 1000, keep } });
        expectCounts(result, 500_008, 1000);
        const kept = decode(result.stdout.bytes);
        expect([kept.startsWith('BEGIN'), kept.endsWith('END')]).toEqual([
          keep === 'head',
          keep === 'tail',
        ]);
      },
    }),
  ),
  {
    group: 'output',
    name: 'output below the cap is whole and unmarked',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, 'printf 1234567890', { output: { maxBytes: 10 } });
      expect(result.stdout).toMatchObject({ totalBytes: 10, droppedBytes: 0 });
      expect(result.stdout.text()).toBe('1234567890');
    },
  },
  {
    group: 'output',
    name: 'a command is killed at its limit only when asked for',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const script = 'while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done';
      const limits = { maxBytes: 10_000, killAtLimit: true };
      const result = await sh(sandbox, script, { output: limits });
      expect(result.status).toBe('output_limit_killed');
      expect(result.stdout.bytes.length).toBeGreaterThan(0);
    },
  },
  {
    group: 'output',
    name: 'a silent command has no output',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, 'true');
      const counts = [result.stdout.totalBytes, result.stderr.totalBytes, result.stdout.text()];
      expect(counts).toEqual([0, 0, '']);
    },
  },
  {
    group: 'output',
    name: 'one line of 8 MB comes whole when the cap allows it',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const size = 8_000_000;
      const script = `head -c ${size} /dev/zero | tr '\\0' l`;
      const result = await sh(sandbox, script, { output: { maxBytes: size } });
      expect(result.stdout).toMatchObject({ totalBytes: size, droppedBytes: 0 });
      expect(result.stdout.bytes.every((byte) => byte === 0x6c)).toBe(true);
    },
  },
  {
    group: 'output',
    name: 'both streams may flood at once',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const part = `head -c 20000000 /dev/zero | tr '\\0'`;
      const script = `(${part} o) & (${part} e >&2) & wait`;
      const result = await sh(sandbox, script, { output: { maxBytes: 100_000 } });
      expectExit(result, 0);
      expect([result.stdout.totalBytes, result.stderr.totalBytes]).toEqual([
        20_000_000, 20_000_000,
      ]);
      expect(new Set([...result.stdout.bytes])).toEqual(new Set([0x6f]));
      expect(new Set([...result.stderr.bytes])).toEqual(new Set([0x65]));
    },
  },
];

function expectCounts({ stdout }: ExecResult, totalBytes: number, maxBytes: number): void {
  expect(stdout.totalBytes).toBe(totalBytes);
  expect(stdout.droppedBytes).toBe(totalBytes - stdout.bytes.length);
  expect(stdout.bytes.length).toBeLessThanOrEqual(maxBytes);
  // A cap that throws nearly everything away would satisfy the counts too.
  expect(stdout.bytes.length).toBeGreaterThan(maxBytes / 4);
}

/** Watches this process's memory; `stop` gives the growth at its highest. */
function watchMemory(): Readonly<{ stop: () => number }> {
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, used());
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.max(highest, used()) - before;
    },
  };
}
