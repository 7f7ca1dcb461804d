import { expect } from 'vitest';
import type { ExecResult, Sandbox, SessionOptions, ShellSession } from '../../types.ts';
import type { ConformanceCase } from '../conformance-case.ts';
import { isGone } from './_processes.ts';
import { beside, expectExit, has, patienceMs, thrownCode } from './_run.ts';

/** The contract says one second; ten times that on a busy machine. A shell that waits for more input waits for ever. */
const promptMs = 10_000;

const broken = [
  ['an unterminated heredoc', 'cat <<EOF\nline\n'],
  ['an indented end marker', 'cat <<EOF\nline\n  EOF\n'],
  ['an unbalanced quote', 'echo "open'],
  ['an unbalanced parenthesis', 'echo $(echo x'],
] as const;

/** Shells that keep their state from command to command. */
export const sessionCases: readonly ConformanceCase[] = [
  {
    group: 'sessions',
    name: 'directory, exports, functions and plain variables survive',
    needs: ['shell', 'sessions'],
    run: ({ sandbox }) =>
      withSession(sandbox, async (say) => {
        expectExit(await say('cd /tmp; export ONE=1; two=2; three() { echo 3; }'), 0);
        const result = await say('pwd; echo $ONE $two; three');
        expect(result.stdout.text()).toBe('/tmp\n1 2\n3\n');
        expect(result.cwdAfter).toBe('/tmp');
      }),
  },
  {
    group: 'sessions',
    name: 'exit codes and both streams are those of the command',
    needs: ['shell', 'sessions'],
    run: ({ sandbox }) =>
      withSession(sandbox, async (say) => {
        const result = await say('echo out; echo err >&2; (exit 42)');
        expectExit(result, 42);
        expect([result.stdout.text(), result.stderr.text()]).toEqual(['out\n', 'err\n']);
        expectExit(await say('true'), 0);
      }),
  },
  {
    group: 'sessions',
    name: 'a session starts in its own directory and environment, and exec is independent of it',
    needs: ['shell', 'sessions'],
    run: ({ sandbox }) =>
      withSession(
        sandbox,
        async (say) => {
          expect((await say('pwd; echo $GIVEN')).stdout.text()).toBe('/\nyes\n');
          const command = { script: `pwd; echo \${GIVEN-unset}` };
          const apart = await sandbox.exec({ command, timeoutMs: patienceMs });
          expect(apart.stdout.text()).toBe(`${sandbox.info.workdir}\nunset\n`);
        },
        { cwd: '/', env: { GIVEN: 'yes' } },
      ),
  },
  {
    group: 'sessions',
    name: 'a command that reads its input sees the end at once',
    needs: ['shell', 'sessions'],
    run: ({ sandbox }) =>
      withSession(sandbox, async (say) => {
        expect((await say('cat; echo after')).stdout.text()).toBe('after\n');
      }),
  },
  {
    group: 'sessions',
    name: 'a heredoc works',
    needs: ['shell', 'sessions'],
    run: ({ sandbox }) =>
      withSession(sandbox, async (say) => {
        const result = await say(`cat <<'EOF'\n$HOME "x" 'y'\nEOF\necho after`);
        expect(result.stdout.text()).toBe(`$HOME "x" 'y'\nafter\n`);
      }),
  },
  ...broken.map(
    ([what, script]): ConformanceCase => ({
      group: 'sessions',
      name: `${what} ends at once and the session stays usable`,
      needs: ['shell', 'sessions'],
      run: ({ sandbox }) =>
        withSession(sandbox, async (say) => {
          expectExit(await say('export STILL=here'), 0);
          const result = await say(script);
          expect(result.status).toBe('exited');
          expect(result.timing.wallMs).toBeLessThan(promptMs);
          expect((await say('echo $STILL')).stdout.text()).toBe('here\n');
        }),
    }),
  ),
  {
    group: 'sessions',
    name: 'a heredoc of 1 MB in a command substitution passes',
    needs: ['shell', 'sessions'],
    run: ({ sandbox }) =>
      withSession(sandbox, async (say) => {
        const line = `${'h'.repeat(99)}\n`;
        const script = `big=$(cat <<'EOF'\n${line.repeat(10_486)}EOF\n)\necho \${#big}`;
        expect((await say(script)).stdout.text()).toBe(`${10_486 * 100 - 1}\n`);
      }),
  },
  {
    group: 'sessions',
    name: 'a huge exported variable spoils only the command that needs it',
    needs: ['shell', 'sessions'],
    run: ({ sandbox }) =>
      withSession(sandbox, async (say) => {
        await say(`export BIG=$(head -c 200000 /dev/zero | tr '\\0' b)`);
        expect((await say(`echo \${#BIG}`)).stdout.text()).toBe('200000\n');
        await say('unset BIG');
        expect((await say('env | wc -l > /dev/null; echo fine')).stdout.text()).toBe('fine\n');
      }),
  },
  {
    group: 'sessions',
    name: 'a second command while one runs is SESSION_BUSY',
    needs: ['shell', 'sessions'],
    run: async ({ sandbox, folder }) => {
      await using session = await sandbox.session();
      const script = `mkdir -p ${folder}; while [ ! -e ${folder}/go ]; do sleep 0.05; done; echo first`;
      const first = beside(session.exec({ command: { script }, timeoutMs: patienceMs }));
      const second = session.exec({ command: { script: 'echo second' }, timeoutMs: patienceMs });
      try {
        expect(await thrownCode(second)).toBe('SESSION_BUSY');
      } finally {
        await sandbox.files.write(`${folder}/go`, '');
      }
      expect((await first).stdout.text()).toBe('first\n');
    },
  },
  {
    group: 'sessions',
    name: 'a command that ends the shell gives its exit code, and the next one has a shell again',
    needs: ['shell', 'sessions'],
    run: ({ sandbox }) =>
      withSession(sandbox, async (say) => {
        expectExit(await say('cd /tmp; export KEPT=1'), 0);
        expectExit(await say('exit 7'), 7);
        expect((await say('pwd; echo $KEPT')).stdout.text()).toBe('/tmp\n1\n');
      }),
  },
  {
    group: 'sessions',
    name: 'background children of a session live on, and end with it',
    needs: ['shell', 'sessions', 'killTree'],
    run: async ({ sandbox, folder }) => {
      await withSession(sandbox, async (say) => {
        const start = `mkdir -p ${folder}; sleep 1000 >/dev/null 2>&1 & echo $! > ${folder}/pid`;
        expectExit(await say(start), 0);
        expectExit(await say(`kill -0 $(cat ${folder}/pid)`), 0);
      });
      expect(await isGone(sandbox, `${folder}/pid`)).toBe(true);
    },
  },
  {
    group: 'sessions',
    name: 'bash features work where bash is installed',
    needs: ['shell', 'sessions'],
    run: async ({ sandbox }) => {
      const shell = (await has(sandbox, 'bash')) ? 'bash' : 'sh';
      const script = shell === 'bash' ? `a=(1 2 3); echo \${#a[@]}` : 'set -- 1 2 3; echo $#';
      await withSession(
        sandbox,
        async (say) => expect((await say(script)).stdout.text()).toBe('3\n'),
        { shell },
      );
    },
  },
];

type Say = (script: string) => Promise<ExecResult>;

async function withSession(
  sandbox: Sandbox,
  work: (say: Say, session: ShellSession) => Promise<void>,
  options: SessionOptions = {},
): Promise<void> {
  const session = await sandbox.session(options);
  try {
    await work((script) => session.exec({ command: { script }, timeoutMs: patienceMs }), session);
  } finally {
    await session.close();
  }
}
