import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { isGone } from './_processes.ts';
import { expectExit, has, output, sh } from './_run.ts';

const shortMs = 700;
const graceMs = 300;

/** A deadline ends the whole command, and nothing but the command. */
export const timeoutCases: readonly ConformanceCase[] = [
  {
    group: 'timeout',
    name: 'partial output of both streams is kept',
    needs: ['shell'],
    proves: ['timeoutGranularityMs'],
    run: async ({ sandbox, capabilities }) => {
      const script = 'echo partial; echo problem >&2; sleep 1000';
      const result = await sh(sandbox, script, { timeoutMs: shortMs });
      expect(result.status).toBe('timeout');
      expect([result.stdout.text(), result.stderr.text()]).toEqual(['partial\n', 'problem\n']);
      const { timeoutGranularityMs } = capabilities;
      expect(result.timing.wallMs).toBeGreaterThanOrEqual(shortMs - timeoutGranularityMs - 20);
    },
  },
  {
    group: 'timeout',
    name: 'the process and its children have ended, though they ignore TERM',
    needs: ['shell', 'killTree'],
    run: async ({ sandbox, folder }) => {
      const script = `mkdir -p ${folder}; trap '' TERM
sh -c 'trap "" TERM; echo $$ > ${folder}/child; while :; do sleep 1; done' &
echo $$ > ${folder}/leader; while :; do sleep 1; done`;
      const result = await sh(sandbox, script, { timeoutMs: shortMs, killGraceMs: graceMs });
      expect(result.status).toBe('timeout');
      expect(await isGone(sandbox, `${folder}/leader`)).toBe(true);
      expect(await isGone(sandbox, `${folder}/child`)).toBe(true);
    },
  },
  {
    group: 'timeout',
    name: 'descendants that left the session or were forked twice end too, where the whole tree is killed',
    needs: ['shell', 'killTree'],
    run: async ({ sandbox, folder, capabilities }) => {
      const isWhole = capabilities.killTree !== 'pgid';
      const leave = isWhole && (await has(sandbox, 'setsid')) ? 'setsid' : '';
      const script = `mkdir -p ${folder}
${leave} sh -c 'echo $$ > ${folder}/left; trap "" TERM HUP; while :; do sleep 1; done' >/dev/null 2>&1 </dev/null &
(sh -c 'echo $$ > ${folder}/orphan; while :; do sleep 1; done' &) &
while :; do sleep 1; done`;
      const result = await sh(sandbox, script, { timeoutMs: shortMs, killGraceMs: graceMs });
      expect(result.status).toBe('timeout');
      expect(await isGone(sandbox, `${folder}/left`)).toBe(true);
      expect(await isGone(sandbox, `${folder}/orphan`)).toBe(true);
    },
  },
  {
    group: 'timeout',
    name: 'TERM comes first, so that a command can tidy up',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const script = `trap 'echo tidied; exit 0' TERM; echo up; while :; do sleep 0.1; done`;
      const result = await sh(sandbox, script, { timeoutMs: shortMs, killGraceMs: 20_000 });
      expect([result.status, result.stdout.text()]).toEqual(['timeout', 'up\ntidied\n']);
    },
  },
  {
    group: 'timeout',
    name: 'the sandbox goes on',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      await sh(sandbox, 'sleep 1000', { timeoutMs: shortMs });
      expect(await output(sandbox, 'echo on')).toBe('on\n');
    },
  },
  {
    group: 'timeout',
    name: 'the session survives with its state',
    needs: ['shell', 'sessions'],
    run: async ({ sandbox }) => {
      await using session = await sandbox.session();
      const exec = (script: string, timeoutMs: number) =>
        session.exec({ command: { script }, timeoutMs });
      expectExit(await exec('export KEPT=yes; cd /', 60_000), 0);
      const late = await exec('echo partial; sleep 1000', shortMs);
      expect([late.status, late.stdout.text()]).toEqual(['timeout', 'partial\n']);
      expect((await exec('echo $KEPT; pwd', 60_000)).stdout.text()).toBe('yes\n/\n');
    },
  },
  {
    group: 'timeout',
    name: 'waiting for a place is no command time',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      // Together these hold the sandbox for longer than one of them may take.
      const all = Array.from({ length: 60 }, () =>
        sh(sandbox, 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done', { timeoutMs: 15_000 }),
      );
      for (const result of await Promise.all(all)) expectExit(result, 0);
    },
  },
];
