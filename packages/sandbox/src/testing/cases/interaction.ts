import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { expectExit, has, output, sh } from './_run.ts';

/** The contract says two seconds; five times that on a busy machine. A prompt that waits would wait for ever. */
const promptMs = 10_000;

const quietGit = `git init -q . && git config user.email kit@example.org && git config user.name kit`;
const prompting = 'if (read answer < /dev/tty) 2>/dev/null; then echo asked; else echo refused; fi';

/** Programs that want to talk to a person must notice that nobody is there. */
export const interactionCases: readonly ConformanceCase[] = [
  {
    group: 'interaction',
    name: 'a prompt on /dev/tty fails at once',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, prompting);
      expect(result.stdout.text()).toBe('refused\n');
      expect(result.timing.wallMs).toBeLessThan(promptMs);
    },
  },
  {
    group: 'interaction',
    name: 'a prompt in a session fails at once too',
    needs: ['shell', 'sessions'],
    run: async ({ sandbox }) => {
      await using session = await sandbox.session();
      const result = await session.exec({ command: { script: prompting }, timeoutMs: 60_000 });
      expect(result.stdout.text()).toBe('refused\n');
      expect(result.timing.wallMs).toBeLessThan(promptMs);
    },
  },
  {
    group: 'interaction',
    name: 'git log pages nothing and git rebase --continue edits nothing',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      if (!(await has(sandbox, 'git'))) {
        // Without git its way of asking is what is left to test: terminal first, then standard input.
        expect(await output(sandbox, `${prompting}; read line || echo end`)).toBe('refused\nend\n');
        return;
      }
      await output(sandbox, `mkdir -p ${folder} && cd ${folder} && ${conflictingRebase}`);
      const result = await sh(
        sandbox,
        'echo both > f && git add f && git rebase --continue && git log',
        {
          cwd: folder,
        },
      );
      expectExit(result, 0);
      expect(result.stdout.text()).toContain('topic');
      expect(result.timing.wallMs).toBeLessThan(promptMs);
    },
  },
];

const conflictingRebase = `${quietGit}
echo base > f && git add f && git commit -qm base && trunk=$(git rev-parse --abbrev-ref HEAD)
git checkout -qb topic && echo topic > f && git commit -qam topic
git checkout -q "$trunk" && echo other > f && git commit -qam other
git checkout -q topic && ! git rebase "$trunk" >/dev/null 2>&1`;
