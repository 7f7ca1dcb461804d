import type { Command } from 'commander';
import type { ListFlags } from './commands/sandbox-ls.ts';
import type { ReapFlags } from './commands/sandbox-reap.ts';
import type { RemoveFlags } from './commands/sandbox-rm.ts';
import type { RunFlags } from './commands/sandbox-run.ts';
import type { ServeFlags } from './commands/sandbox-serve.ts';
import type { CliContext } from './context.ts';
import type { DottedFlag } from './dotted-flags.ts';
import type { ExitCode } from './exit-codes.ts';
import {
  collectPairs,
  filled,
  positiveInteger,
  positiveNumber,
  wholeNumber,
} from './flag-values.ts';

type Finish = (code: ExitCode) => void;

/** The command `sandbox` with its subcommands. */
export function addSandbox(
  program: Command,
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: Finish,
): void {
  const sandbox = program
    .command('sandbox')
    .description('start, list, remove and serve sandboxes')
    .addHelpText('after', more);
  withSource(sandbox.command('run'), 'the provider (default: local)')
    .description('start a sandbox: for one command, or until it is interrupted')
    .argument('[command...]', 'what runs in it; after --')
    .option('--image <name>', 'an image', filled)
    .option('--build <folder>', 'a folder with a Dockerfile', filled)
    .option('--network <mode>', 'none or open (default: that of the provider)', filled)
    .option('--workdir <path>', 'where the command starts', filled)
    .option('--user <name>', 'who runs the command', filled)
    .option('-l, --label <key=value>', 'a label; repeatable', collectPairs)
    .option('--lifetime <seconds>', 'then it ends by itself (default: 3600)', positiveNumber)
    .option(
      '--timeout <seconds>',
      'of the command (default: as long as the sandbox)',
      positiveNumber,
    )
    .option('-i, --interactive', 'the command reads the standard input of this one')
    .action(async (words: string[], flags: RunFlags) => {
      const { runSandboxRun } = await import('./commands/sandbox-run.ts');
      finish(await runSandboxRun(words, flags, dotted, context));
    });
  withSource(sandbox.command('ls'), 'the provider (default: all that work here)')
    .description('list the sandboxes that this user has made')
    .option('-l, --label <key=value>', 'only those with this label; repeatable', collectPairs)
    .action(async (flags: ListFlags) => {
      const { runSandboxLs } = await import('./commands/sandbox-ls.ts');
      finish(await runSandboxLs(flags, dotted, context));
    });
  withSource(sandbox.command('rm'), 'the provider (default: all that work here)')
    .description('remove sandboxes by id, name or label; those of a living run only with --force')
    .argument('[sandbox...]', 'id or name; the start of one is enough where it is the only one')
    .option('-l, --label <key=value>', 'all with this label; repeatable', collectPairs)
    .option('-f, --force', 'also those whose run is alive')
    .action(async (names: string[], flags: RemoveFlags) => {
      const { runSandboxRm } = await import('./commands/sandbox-rm.ts');
      finish(await runSandboxRm(names, flags, dotted, context));
    });
  withSource(sandbox.command('reap'), 'the provider (default: all that work here)')
    .description('remove the sandboxes of this user that have expired or whose owner is dead')
    .option('-l, --label <key=value>', 'only those with this label; repeatable', collectPairs)
    .option('--dry-run', 'say what would be removed')
    .action(async (flags: ReapFlags) => {
      const { runSandboxReap } = await import('./commands/sandbox-reap.ts');
      finish(await runSandboxReap(flags, dotted, context));
    });
  addServe(sandbox, context, dotted, finish);
}

function addServe(
  sandbox: Command,
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: Finish,
): void {
  withSource(sandbox.command('serve'), 'the provider (default: local)')
    .description('give sandboxes out as slots over HTTP, until it is interrupted')
    .option('--provider <name>', 'the same as --sandbox', filled)
    .option('--token-file <file>', 'the token that callers must bear', filled)
    .option('--host <address>', 'where it listens (default: 127.0.0.1)', filled)
    .option('--port <n>', '0 is any free one (default: 8080)', wholeNumber)
    .option('--slots <n>', 'how many sandboxes at most (default: 10)', positiveInteger)
    .option('--image <name>', 'an image for every slot', filled)
    .option('--lifetime <seconds>', 'of a sandbox (default: 4 hours)', positiveNumber)
    .option('--insecure-no-sandbox', 'serve also where nothing is isolated')
    .action(async (flags: ServeFlags) => {
      const { runSandboxServe } = await import('./commands/sandbox-serve.ts');
      finish(await runSandboxServe(flags, dotted, context));
    });
}

const more = `
Settings of a provider are those of evaluate: --env.sandbox.KEY VALUE, --env.docker_image NAME, --config FILE, variables.

Examples:
  hermes sandbox run --sandbox docker --image debian:bookworm-slim -- bash -c 'id; ls /'
  hermes sandbox ls --label hermes.run=RUN
  hermes sandbox reap --dry-run`;

function withSource(command: Command, provider: string): Command {
  return command
    .option('-s, --sandbox <provider>', provider, filled)
    .option('-c, --config <file>', 'YAML whose section env has settings of providers', filled)
    .option('--json', 'machine-readable');
}
