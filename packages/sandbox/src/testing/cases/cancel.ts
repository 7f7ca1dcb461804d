import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { isGone } from './_processes.ts';
import { beside, fileCodeOf, output, sh } from './_run.ts';

/** A signal ends a command at any moment, and says so in the result. */
export const cancelCases: readonly ConformanceCase[] = [
  {
    group: 'cancel',
    name: 'a signal that has fired already lets nothing start',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      const signal = AbortSignal.abort();
      const result = await sh(sandbox, `mkdir -p ${folder}; touch ${folder}/ran`, { signal });
      expect(result.status).toBe('cancelled');
      expect(fileCodeOf(await sandbox.files.stat(`${folder}/ran`))).toBe('FILE_NOT_FOUND');
    },
  },
  {
    group: 'cancel',
    name: 'a running command ends with its children, and its output is kept',
    needs: ['shell', 'killTree'],
    run: async ({ sandbox, folder }) => {
      const abort = new AbortController();
      const script = `mkdir -p ${folder}
sh -c 'echo $$ > ${folder}/child; while :; do sleep 1; done' & echo $$ > ${folder}/leader
while [ ! -s ${folder}/child ]; do sleep 0.05; done; echo running; wait`;
      const result = await sh(sandbox, script, {
        signal: abort.signal,
        killGraceMs: 500,
        onData: () => abort.abort(),
      });
      expect([result.status, result.stdout.text()]).toEqual(['cancelled', 'running\n']);
      expect(await isGone(sandbox, `${folder}/leader`)).toBe(true);
      expect(await isGone(sandbox, `${folder}/child`)).toBe(true);
    },
  },
  {
    group: 'cancel',
    name: 'a drain that goes on after the leader can be cut short',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      const abort = new AbortController();
      // The child writes without a pause, so the drain would last its full two minutes.
      const script = `mkdir -p ${folder}
(echo started > ${folder}/writer; while :; do echo more; sleep 0.05; done) & echo leader; exit 0`;
      const running = beside(sh(sandbox, script, { signal: abort.signal, drainMs: 110_000 }));
      await waitForFile(sandbox, `${folder}/writer`);
      abort.abort();
      const result = await running;
      expect(['exited', 'cancelled']).toContain(result.status);
      expect(result.stdout.text()).toContain('leader\n');
      expect(result.timing.wallMs).toBeLessThan(60_000);
    },
  },
  {
    group: 'cancel',
    name: 'the sandbox goes on afterwards',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const signal = AbortSignal.timeout(300);
      expect((await sh(sandbox, 'sleep 1000', { signal })).status).toBe('cancelled');
      expect(await output(sandbox, 'echo on')).toBe('on\n');
    },
  },
];

async function waitForFile(sandbox: Parameters<typeof output>[0], path: string): Promise<void> {
  await output(sandbox, `while [ ! -s ${path} ]; do sleep 0.05; done`);
}
