import type { Command } from 'commander';
import type { ListFlags } from './commands/sandbox-ls.ts';
import type { ReapFlags } from './commands/sandbox-reap.ts';
import type { RemoveFlags } from './commands/sandbox-rm.ts';
import type { RunFlags } from './commands/sandbox-run.ts';
import type { ServeFlags } from './commands/sandbox-serve.ts';
import { addFlags } from './config/flag-spec.ts';
import type { CliContext } from './context.ts';
import type { DottedFlag } from './dotted-flags.ts';
import type { ExitCode } from './exit-codes.ts';
import { reapFlags, removeFlags, runFlags, serveFlags } from './sandboxes/sandbox-flags.ts';
import { labelFlag, sourceFlags } from './sandboxes/source-flags.ts';

/** The command `sandbox` with its subcommands. */
export function addSandbox(
  program: Command,
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: (code: ExitCode) => void,
): void {
  const sandbox = program
    .command('sandbox')
    .description('start, list, remove and serve sandboxes')
    .addHelpText('after', more);
  const run = sandbox
    .command('run')
    .description('start a sandbox: for one command, or until it is interrupted')
    .argument('[command...]', 'what runs in it; after --')
    .action(async (words: string[], flags: RunFlags) => {
      const { runSandboxRun } = await import('./commands/sandbox-run.ts');
      finish(await runSandboxRun(words, flags, dotted, context));
    });
  const ls = sandbox
    .command('ls')
    .description('list the sandboxes that this user has made')
    .action(async (flags: ListFlags) => {
      const { runSandboxLs } = await import('./commands/sandbox-ls.ts');
      finish(await runSandboxLs(flags, dotted, context));
    });
  const rm = sandbox
    .command('rm')
    .description('remove sandboxes by id, name or label; those of a living run only with --force')
    .argument('[sandbox...]', 'id or name; the start of one is enough where it is the only one')
    .action(async (names: string[], flags: RemoveFlags) => {
      const { runSandboxRm } = await import('./commands/sandbox-rm.ts');
      finish(await runSandboxRm(names, flags, dotted, context));
    });
  const reap = sandbox
    .command('reap')
    .description('remove the sandboxes of this user that have expired or whose owner is dead')
    .action(async (flags: ReapFlags) => {
      const { runSandboxReap } = await import('./commands/sandbox-reap.ts');
      finish(await runSandboxReap(flags, dotted, context));
    });
  const serve = sandbox
    .command('serve')
    .description('give sandboxes out as slots over HTTP, until it is interrupted')
    .action(async (flags: ServeFlags) => {
      const { runSandboxServe } = await import('./commands/sandbox-serve.ts');
      finish(await runSandboxServe(flags, dotted, context));
    });
  addFlags(run, sourceFlags('local', runFlags));
  addFlags(ls, sourceFlags(ALL, [labelFlag('only those with this label')]));
  addFlags(rm, sourceFlags(ALL, removeFlags));
  addFlags(reap, sourceFlags(ALL, reapFlags));
  addFlags(serve, sourceFlags('local', serveFlags));
}

const ALL = 'all that work here';

const more = `
Settings of a provider are those of evaluate: --env.sandbox.KEY VALUE, --env.docker_image NAME, --config FILE, variables.

Examples:
  hermes sandbox run --sandbox docker --image debian:bookworm-slim -- bash -c 'id; ls /'
  hermes sandbox ls --label hermes.run=RUN
  hermes sandbox reap --dry-run`;
