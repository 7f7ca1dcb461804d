import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { beside, okValue, output, patienceMs, sh } from './_run.ts';

/** Many at once, and one that never ends. */
export const concurrencyCases: readonly ConformanceCase[] = [
  {
    group: 'concurrency',
    name: '100 commands at once each have their own output',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const numbers = Array.from({ length: 100 }, (_, index) => index);
      const outputs = await Promise.all(
        numbers.map((n) => output(sandbox, `echo ${n}; echo e >&2`)),
      );
      expect(outputs).toEqual(numbers.map((n) => `${n}\n`));
    },
  },
  {
    group: 'concurrency',
    name: 'a stuck command blocks no other',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const abort = new AbortController();
      const script = `trap '' TERM; while :; do sleep 1; done`;
      const timeoutMs = Number.POSITIVE_INFINITY;
      const stuck = beside(
        sh(sandbox, script, { signal: abort.signal, timeoutMs, killGraceMs: 100 }),
      );
      try {
        for (const word of ['one', 'two']) {
          expect(await output(sandbox, `echo ${word}`)).toBe(`${word}\n`);
        }
      } finally {
        abort.abort();
      }
      expect((await stuck).status).toBe('cancelled');
    },
  },
  {
    group: 'concurrency',
    name: 'output that nobody reads blocks no other command',
    needs: ['shell', 'streaming'],
    run: async ({ sandbox }) => {
      const unread = await sandbox.spawn({
        command: { script: 'head -c 50000000 /dev/zero; sleep 1000', shell: 'sh' },
        timeoutMs: patienceMs,
      });
      expect(await output(sandbox, 'echo free')).toBe('free\n');
      await unread.kill();
      await unread.wait();
    },
  },
  {
    group: 'concurrency',
    name: '64 sandboxes are created at once, each with its own files',
    needs: [],
    run: async ({ open }) => {
      const sandboxes = await Promise.all(Array.from({ length: 64 }, () => open()));
      expect(new Set(sandboxes.map(({ ref }) => ref.id)).size).toBe(64);
      const write = (index: number): string => `content ${index}`;
      for (const [index, { files }] of sandboxes.entries()) {
        okValue(await files.write('own', write(index)));
      }
      for (const [index, { files }] of sandboxes.entries()) {
        const read = okValue(await files.read('own'));
        expect(new TextDecoder().decode(read)).toBe(write(index));
      }
    },
  },
  {
    group: 'concurrency',
    name: '100 file operations at once do not mix',
    needs: [],
    run: async ({ sandbox, folder }) => {
      const numbers = Array.from({ length: 100 }, (_, index) => index);
      const contents = await Promise.all(
        numbers.map(async (n) => {
          okValue(await sandbox.files.write(`${folder}/${n}`, `${n}`.repeat(1000)));
          return okValue(await sandbox.files.read(`${folder}/${n}`)).length;
        }),
      );
      expect(contents).toEqual(numbers.map((n) => `${n}`.length * 1000));
    },
  },
];
