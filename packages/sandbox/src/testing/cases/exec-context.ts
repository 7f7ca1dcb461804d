import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { expectExit, output, run, sh } from './_run.ts';

const strange = `it's "quoted" $HOME \`x\` \\n = a=b\nsecond line\n`;
const special = ['', ' ', `a'b"c`, '$HOME', '`x`', 'new\nline', '*', '-n', '\\', 'ü€😀', ';', '&&'];

/** What a command starts with: directory, user, environment, arguments. */
export const execContextCases: readonly ConformanceCase[] = [
  {
    group: 'exec',
    name: 'the working directory is the sandbox’s own, a relative one or an absolute one',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      const { workdir } = sandbox.info;
      expect(await output(sandbox, `mkdir -p ${folder}; pwd`)).toBe(`${workdir}\n`);
      expect(await output(sandbox, 'pwd', { cwd: folder })).toBe(`${workdir}/${folder}\n`);
      expect(await output(sandbox, 'pwd', { cwd: '/' })).toBe('/\n');
    },
  },
  {
    group: 'exec',
    name: 'a command runs as another user',
    needs: ['shell', 'users'],
    run: async ({ sandbox }) => {
      expect(await output(sandbox, 'id -un', { user: 'nobody' })).toBe('nobody\n');
    },
  },
  {
    group: 'exec',
    name: 'an unknown user is not_started',
    needs: ['shell', 'users'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, 'id', { user: 'hermes-kit-nobody' });
      expect(result.status).toBe('not_started');
    },
  },
  {
    group: 'exec',
    name: 'root may give files away',
    needs: ['shell', 'root'],
    run: async ({ open }) => {
      const sandbox = await open({ user: 'root' });
      expect(await output(sandbox, 'id -u; touch f && chown 65534 f && echo given')).toBe(
        '0\ngiven\n',
      );
    },
  },
  {
    group: 'exec',
    name: 'the environment of a command is its own',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const env = { KIT_VALUE: 'one', PAGER: 'less' };
      expect(await output(sandbox, 'echo "$KIT_VALUE $PAGER"', { env })).toBe('one less\n');
      expect(await output(sandbox, `echo "\${KIT_VALUE-unset}"`)).toBe('unset\n');
    },
  },
  {
    group: 'exec',
    name: 'values with quotes, line ends and = arrive unharmed',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await output(sandbox, 'printf %s "$STRANGE"', { env: { STRANGE: strange } });
      expect(result).toBe(strange);
    },
  },
  {
    group: 'exec',
    name: 'prompts and pagers are off unless asked for',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const script =
        'echo "$GIT_TERMINAL_PROMPT $GIT_EDITOR $GIT_PAGER $PAGER $DEBIAN_FRONTEND $PIP_NO_INPUT $TERM"';
      expect(await output(sandbox, script)).toBe('0 true cat cat noninteractive 1 dumb\n');
    },
  },
  {
    group: 'exec',
    name: "the sandbox's environment reaches every command, and the harness's own none",
    needs: ['shell'],
    run: async ({ open }) => {
      process.env.HERMES_KIT_CANARY = 'leaked';
      try {
        const sandbox = await open({ env: { FROM_SPEC: 'given' } });
        const script = `echo "$FROM_SPEC \${HERMES_KIT_CANARY-absent}"`;
        expect(await output(sandbox, script)).toBe('given absent\n');
      } finally {
        delete process.env.HERMES_KIT_CANARY;
      }
    },
  },
  {
    group: 'exec',
    name: 'a secret is seen only by the command that names it',
    needs: ['shell'],
    run: async ({ open }) => {
      const sandbox = await open({ secrets: { KIT_TOKEN: 'hush' } });
      const script = `echo "\${KIT_TOKEN-absent}"`;
      expect(await output(sandbox, script)).toBe('absent\n');
      expect(await output(sandbox, script, { secrets: ['KIT_TOKEN'] })).toBe('hush\n');
    },
  },
  {
    group: 'exec',
    name: 'a script of 200 KB runs',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const script = `value='${'x'.repeat(200_000)}'\nprintf %s "$value" | wc -c`;
      expect((await output(sandbox, script)).trim()).toBe('200000');
    },
  },
  {
    group: 'exec',
    name: 'arguments with special characters arrive one by one',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await run(sandbox, ['sh', '-c', 'printf "[%s]" "$@"', 'sh', ...special]);
      expect(result.stdout.text()).toBe(special.map((word) => `[${word}]`).join(''));
    },
  },
  {
    group: 'exec',
    name: 'arguments up to the declared size pass',
    needs: ['shell'],
    proves: ['maxArgBytes'],
    run: async ({ sandbox, capabilities }) => {
      // One argument has the kernel's own limit of 131,071 bytes, whatever the sum may be.
      const size = Math.min(capabilities.maxArgBytes, 131_071) - 1024;
      const result = await run(sandbox, [
        'sh',
        '-c',
        'printf %s "$1" | wc -c',
        'sh',
        'x'.repeat(size),
      ]);
      expect(result.stdout.text().trim()).toBe(String(size));
    },
  },
  {
    group: 'exec',
    name: 'a terminal is there when asked for, with its size, and not otherwise',
    needs: ['shell', 'tty'],
    run: async ({ sandbox }) => {
      const script = 'if [ -t 0 ] && [ -t 1 ]; then stty size; else echo none; fi';
      const result = await sh(sandbox, script, { tty: { cols: 91, rows: 37 } });
      expect(result.stdout.text().trim()).toBe('37 91');
      expect((await output(sandbox, script)).trim()).toBe('none');
    },
  },
  {
    group: 'exec',
    name: 'the same key again gives the first result and runs nothing twice',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      const script = `mkdir -p ${folder}; echo x >> ${folder}/count; wc -l < ${folder}/count`;
      const extras = { idempotencyKey: `kit-${folder}` };
      const both = await Promise.all([sh(sandbox, script, extras), sh(sandbox, script, extras)]);
      for (const result of both) expectExit(result, 0);
      expect(both.map(({ stdout }) => stdout.text().trim())).toEqual(['1', '1']);
    },
  },
];
