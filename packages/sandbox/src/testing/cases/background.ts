import { expect } from 'vitest';
import type { CaseContext, ConformanceCase } from '../conformance-case.ts';
import { isAlive, isGone } from './_processes.ts';
import { expectExit, has, output, sh } from './_run.ts';

/**
 * The contract says 0.5 s after the shell's exit; ten times that, because the machine may be busy. A result that waits
 * for the service itself would take its 1000 s.
 */
const promptMs = 5_000;

/** Services that outlive the command that started them. */
export const backgroundCases: readonly ConformanceCase[] = [
  {
    group: 'background',
    name: 'a detached service does not hold the result, and lives on when adopted',
    needs: ['shell'],
    run: async (context) => {
      const { sandbox, folder } = context;
      const result = await sh(sandbox, service(folder), { background: 'adopt' });
      expectExit(result, 0);
      expect(result.timing.wallMs).toBeLessThan(promptMs);
      expect(result.leftover.pipesOpen).toBe(false);
      expect(await isAlive(sandbox, `${folder}/pid`)).toBe(true);
      await output(sandbox, `kill -9 $(cat ${folder}/pid)`);
    },
  },
  {
    group: 'background',
    name: 'a detached service is gone with its command by default',
    needs: ['shell', 'killTree'],
    run: async ({ sandbox, folder }) => {
      const result = await sh(sandbox, service(folder));
      expectExit(result, 0);
      expect(result.timing.wallMs).toBeLessThan(promptMs);
      expect(await isGone(sandbox, `${folder}/pid`)).toBe(true);
    },
  },
  {
    group: 'background',
    name: 'a service that keeps the pipes open is named as a leftover',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      const script = `mkdir -p ${folder}; sleep 1000 & echo $! > ${folder}/pid; echo leader`;
      const result = await sh(sandbox, script, { background: 'adopt' });
      expectExit(result, 0);
      expect(result.stdout.text()).toBe('leader\n');
      expect(result.leftover.pipesOpen).toBe(true);
      expect(result.timing.wallMs).toBeLessThan(promptMs + 2_000);
      await output(sandbox, `kill -9 $(cat ${folder}/pid)`);
    },
  },
  {
    group: 'background',
    name: 'bash job control with disown behaves the same, where bash is installed',
    needs: ['shell', 'killTree'],
    run: runWithDisown,
  },
];

function service(folder: string): string {
  return `mkdir -p ${folder}
sleep 1000 > ${folder}/log 2>&1 < /dev/null &
echo $! > ${folder}/pid`;
}

async function runWithDisown({ sandbox, folder }: CaseContext): Promise<void> {
  const shell = (await has(sandbox, 'bash')) ? 'bash' : 'sh';
  const script = `${service(folder)}\n${shell === 'bash' ? 'disown' : ':'}`;
  const command = { script, shell } as const;
  const adopted = await sandbox.exec({ command, timeoutMs: 60_000, background: 'adopt' });
  expectExit(adopted, 0);
  expect(adopted.timing.wallMs).toBeLessThan(promptMs);
  expect(await isAlive(sandbox, `${folder}/pid`)).toBe(true);
  await output(sandbox, `kill -9 $(cat ${folder}/pid)`);
  expectExit(await sandbox.exec({ command, timeoutMs: 60_000, background: 'kill' }), 0);
  expect(await isGone(sandbox, `${folder}/pid`)).toBe(true);
}
