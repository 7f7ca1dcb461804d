import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { digest, generateBytes } from './_bytes.ts';
import { bytesOf, expectExit, output, patienceMs, sh, utf8 } from './_run.ts';

const large = 64 * 1024 * 1024;

/** Standard input: given, streamed, absent, half-closed. */
export const stdinCases: readonly ConformanceCase[] = [
  {
    group: 'stdin',
    name: 'text arrives, special characters too',
    needs: ['shell', 'stdin'],
    run: async ({ sandbox }) => {
      const text = `plain\n$HOME 'q' "d" \\ €😀\n\tno line end`;
      expect(await output(sandbox, 'cat', { stdin: text })).toBe(text);
    },
  },
  {
    group: 'stdin',
    name: 'every byte value arrives',
    needs: ['shell', 'stdin', 'binary'],
    run: async ({ sandbox }) => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
      const { stdout } = await sh(sandbox, 'cat', { stdin: bytes });
      expect(bytesOf(stdout.bytes)).toEqual(bytes);
    },
  },
  {
    group: 'stdin',
    name: '64 MiB stream in',
    needs: ['shell', 'stdin'],
    run: async ({ sandbox }) => {
      const { sha256 } = await digest(generateBytes(large));
      expect(await output(sandbox, 'sha256sum', { stdin: generateBytes(large) })).toContain(sha256);
    },
  },
  {
    group: 'stdin',
    name: 'a command that reads nothing of its input still ends',
    needs: ['shell', 'stdin'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, 'exit 3', { stdin: generateBytes(4 * 1024 * 1024) });
      expectExit(result, 3);
    },
  },
  {
    group: 'stdin',
    name: 'without input a reader sees the end at once',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      expect(await output(sandbox, 'wc -c')).toMatch(/^\s*0\s*$/);
    },
  },
  {
    group: 'stdin',
    name: 'after the input was closed the output goes on',
    needs: ['shell', 'stdin', 'streaming'],
    run: async ({ sandbox }) => {
      const process = await sandbox.spawn({
        command: { script: 'read line; echo "got $line"; cat; echo "after end"', shell: 'sh' },
        timeoutMs: patienceMs,
        stdin: 'open',
      });
      await process.write(utf8('one\n'));
      await process.write(utf8('two\n'));
      await process.closeStdin();
      expect((await process.wait()).stdout.text()).toBe('got one\ntwo\nafter end\n');
    },
  },
  {
    group: 'stdin',
    name: 'a spawned program answers line by line',
    needs: ['shell', 'stdin', 'streaming'],
    run: async ({ sandbox }) => {
      const process = await sandbox.spawn({
        command: { script: 'while read line; do echo "<$line>"; done; exit 5', shell: 'sh' },
        timeoutMs: patienceMs,
        stdin: 'open',
      });
      const lines = process.stdout[Symbol.asyncIterator]();
      for (const word of ['one', 'two']) {
        await process.write(utf8(`${word}\n`));
        expect(Buffer.from((await lines.next()).value ?? []).toString()).toBe(`<${word}>\n`);
      }
      await process.closeStdin();
      expectExit(await process.wait(), 5);
    },
  },
  {
    group: 'stdin',
    name: 'a spawned program can be killed',
    needs: ['shell', 'streaming'],
    run: async ({ sandbox }) => {
      const process = await sandbox.spawn({
        command: { script: 'echo up; sleep 1000', shell: 'sh' },
        timeoutMs: Number.POSITIVE_INFINITY,
      });
      await process.stdout[Symbol.asyncIterator]().next();
      await process.kill();
      expect(['signaled', 'cancelled']).toContain((await process.wait()).status);
    },
  },
];
