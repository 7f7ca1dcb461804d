import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { codeOf } from '../run-case.ts';
import { bytesOf, expectExit, has, okValue, output, run, sh, utf8 } from './_run.ts';

const exitCodes = [
  [0, 0],
  [1, 1],
  [42, 42],
  [255, 255],
  [300, 44],
] as const;

/** Statuses and exit codes: what the command did is what the result says. */
export const execCases: readonly ConformanceCase[] = [
  {
    group: 'exec',
    name: 'stdout and stderr stay apart',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, 'echo out; echo err >&2');
      expectExit(result, 0);
      expect([result.stdout.text(), result.stderr.text()]).toEqual(['out\n', 'err\n']);
    },
  },
  {
    group: 'exec',
    name: 'merged output keeps the order of both streams',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const script = 'echo 1; echo 2 >&2; echo 3; echo 4 >&2';
      const result = await sh(sandbox, script, { output: { merge: true } });
      expect([result.stdout.text(), result.stderr.text()]).toEqual(['1\n2\n3\n4\n', '']);
    },
  },
  ...exitCodes.map(
    ([asked, seen]): ConformanceCase => ({
      group: 'exec',
      name: `exit ${asked} is exit code ${seen}`,
      needs: ['shell'],
      run: async ({ sandbox }) => expectExit(await sh(sandbox, `exit ${asked}`), seen),
    }),
  ),
  {
    group: 'exec',
    name: 'a command killed by a signal names the signal',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      for (const signal of ['KILL', 'TERM']) {
        const result = await sh(sandbox, `echo before; kill -${signal} $$; sleep 60`);
        expect(result).toMatchObject({ status: 'signaled', signal: `SIG${signal}` });
        expect(result.stdout.text()).toBe('before\n');
      }
    },
  },
  {
    group: 'exec',
    name: 'exit code 137 of a program is no signal',
    needs: ['shell'],
    run: async ({ sandbox, capabilities }) => {
      const result = await sh(sandbox, 'exit 137');
      // A supervisor that is a shell itself (the one that kills by process group) sees 137 in both cases.
      if (capabilities.killTree === 'pgid' && result.status === 'signaled') {
        expect(result.signal).toBe('SIGKILL');
      } else expectExit(result, 137);
    },
  },
  {
    group: 'exec',
    name: "a script's unknown command is the shell's own 127",
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, 'hermes-kit-no-such-command');
      expectExit(result, 127);
      expect(result.stderr.text()).toContain('hermes-kit-no-such-command');
    },
  },
  {
    group: 'exec',
    name: 'a program that is not there is not_started, with a reason and no output',
    needs: [],
    run: async ({ sandbox }) => {
      const result = await run(sandbox, ['hermes-kit-no-such-program', 'x']);
      expect(result.status).toBe('not_started');
      expect(result.status === 'not_started' ? result.message : '').not.toBe('');
      expect(result.stdout.totalBytes).toBe(0);
    },
  },
  {
    group: 'exec',
    name: 'a program that is not executable is not_started',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/plain`, 'text', { mode: 0o644 }));
      const path = `${sandbox.info.workdir}/${folder}/plain`;
      expect((await run(sandbox, [path])).status).toBe('not_started');
    },
  },
  {
    group: 'exec',
    name: 'a missing working directory is not_started',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      const result = await sh(sandbox, 'echo ran', { cwd: `${folder}/none` });
      expect([result.status, result.stdout.text()]).toEqual(['not_started', '']);
    },
  },
  {
    group: 'exec',
    name: 'the sandbox goes on after all kinds of failures',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      await sh(sandbox, 'kill -9 $$');
      await run(sandbox, ['hermes-kit-no-such-program']);
      expect(await output(sandbox, 'echo fine')).toBe('fine\n');
    },
  },
  {
    group: 'exec',
    name: 'binary output arrives byte for byte',
    needs: ['shell', 'binary'],
    run: async ({ sandbox, folder }) => {
      const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
      okValue(await sandbox.files.write(`${folder}/all`, bytes));
      const result = await sh(sandbox, `cat ${folder}/all; cat ${folder}/all >&2`);
      const seen = [bytesOf(result.stdout.bytes), bytesOf(result.stderr.bytes)];
      expect(seen).toEqual([bytes, bytes]);
    },
  },
  {
    group: 'exec',
    name: 'a result tells when it started and how long it took',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const { timing } = await sh(sandbox, 'sleep 0.2');
      // Lower bound only: a sleep never ends early; one clock tick of slack.
      expect(timing.wallMs).toBeGreaterThanOrEqual(190);
      expect(timing.queuedMs).toBeGreaterThanOrEqual(0);
      expect(Math.abs(timing.startedAtMs - Date.now())).toBeLessThan(3_600_000);
    },
  },
  {
    group: 'exec',
    name: 'output is told while the command still runs',
    needs: ['shell', 'streaming'],
    run: async ({ sandbox, folder }) => {
      const seen: string[] = [];
      const script = `echo first; while [ ! -e ${folder}/go ]; do sleep 0.05; done; echo second`;
      const result = await sh(sandbox, `mkdir -p ${folder}; ${script}`, {
        onData: (chunk, stream) => {
          seen.push(`${stream} ${new TextDecoder().decode(chunk)}`);
          // Without this file the script waits for ever: it is written only once its output was seen.
          if (seen.length === 1) void sandbox.files.write(`${folder}/go`, utf8('1'));
        },
      });
      expectExit(result, 0);
      expect(seen.join('')).toBe('stdout first\nstdout second\n');
    },
  },
  {
    group: 'exec',
    name: 'bash runs bash where it is installed, and is not_started or UNSUPPORTED elsewhere',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const isThere = await has(sandbox, 'bash');
      const command = { script: `a=(1 2); echo "\${#a[@]}"`, shell: 'bash' } as const;
      const seen = await sandbox.exec({ command, timeoutMs: 60_000 }).then(
        (result) => (result.status === 'exited' ? result.stdout.text() : result.status),
        (error: unknown) =>
          codeOf(error) === 'UNSUPPORTED' ? 'not_started' : Promise.reject(error),
      );
      expect(seen).toBe(isThere ? '2\n' : 'not_started');
    },
  },
];
