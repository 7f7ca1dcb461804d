import { Command, InvalidArgumentError } from 'commander';
import type { CliContext } from './context.ts';
import type { DottedFlag } from './dotted-flags.ts';
import type { EvaluateFlags } from './evaluate-flags.ts';
import type { ExitCode } from './exit-codes.ts';
import { readVersion } from './version.ts';

type Finish = (code: ExitCode) => void;

/** The command line as data. Each command loads its own code when it runs, so that `--help` starts at once. */
export function createProgram(
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: Finish,
): Command {
  const program = new Command('hermes')
    .description('Evaluate tool-calling agents: real tasks, real sandboxes, real verifiers.')
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    })
    .addHelpText('after', examples);
  addEvaluate(program, context, dotted, finish);
  addLists(program, context, finish);
  addReport(program, context, finish);
  addSandbox(program, context, dotted, finish);
  return program;
}

const examples = `
Examples:
  hermes evaluate smoke --model oracle                  the built-in tasks, played by their own solutions
  hermes evaluate tasks --path ./tasks --model oracle   a folder of Harbor tasks
  hermes report runs/RUN                                the table again, from the records

Exit codes: 0 it ran; 1 a failure of the run (a full disk, no trial could be scored);
2 wrong usage or configuration; 130 interrupted, after a clean shutdown`;

function addEvaluate(
  program: Command,
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: Finish,
): void {
  program
    .command('evaluate')
    .description('run an environment and score it')
    .argument(
      '<environment>',
      'an id (see hermes environments), a package, or a path: ./file.js, ./file.js#export',
    )
    .option('-m, --model <model>', 'what plays: oracle or noop; there is no default')
    .option('-p, --path <folder>', 'for tasks: one task folder, or a folder of them')
    .option(
      '-s, --sandbox <provider>',
      'local, bubblewrap, host, a package, or a path (default: local)',
    )
    .option('-k, --attempts <n>', 'attempts for each item (default: 1)', positiveInteger)
    .option('-n, --concurrency <n>', 'rollouts at a time (default: 4)', positiveInteger)
    .option('-l, --limit <n>', 'only the first n items', positiveInteger)
    .option('-i, --include <glob>', 'only items whose id matches; repeatable', collect, [])
    .option('-x, --exclude <glob>', 'no items whose id matches; repeatable', collect, [])
    .option('-t, --tag <key=value>', 'only items with this tag; repeatable', collect, [])
    .option('--shuffle', 'items in an order that the seed decides')
    .option('--seed <n>', 'seed of everything random (default: 0)', wholeNumber)
    .option('--max-turns <n>', 'model calls of one rollout at most (default: 30)', positiveInteger)
    .option('-c, --config <file>', 'YAML with the sections env and openai; flags win over it')
    .option('-o, --run-dir <folder>', 'where the run is kept (default: a new folder below ./runs)')
    .option('--resume', 'go on with the run in --run-dir: finished trials are kept')
    .option('--json', 'one event a line on stdout, the summary last')
    .addHelpText(
      'after',
      '\nAny key of a configuration section is a flag too: --env.terminal_timeout 60, --env.system_prompt "..."' +
        '\nSettings of the sandbox provider itself: --env.sandbox.KEY VALUE',
    )
    .action(async (environment: string, flags: EvaluateFlags) => {
      const { runEvaluate } = await import('./commands/evaluate.ts');
      finish(await runEvaluate(environment, flags, dotted, context));
    });
}

function addLists(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('environments')
    .description('list the environments and their configuration keys')
    .option('--json', 'machine-readable')
    .action(async (flags: { json?: boolean }) => {
      const { runEnvironments } = await import('./commands/environments.ts');
      finish(await runEnvironments(flags, context));
    });
  program
    .command('providers')
    .description('list the sandbox providers, with capabilities as proved on this machine')
    .option('--json', 'machine-readable')
    .action(async (flags: { json?: boolean }) => {
      const { runProviders } = await import('./commands/providers.ts');
      finish(await runProviders(flags, context));
    });
  program
    .command('doctor')
    .description('check this machine and say how to mend what is missing')
    .option('--json', 'machine-readable')
    .action(async (flags: { json?: boolean }) => {
      const { runDoctor } = await import('./commands/doctor.ts');
      finish(await runDoctor(flags, context));
    });
}

function addReport(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('report')
    .description('print the table of a run again, from its records')
    .argument('<run>', 'the folder of a run')
    .option('--json', 'the summary as JSON')
    .action(async (run: string, flags: { json?: boolean }) => {
      const { runReport } = await import('./commands/report.ts');
      finish(await runReport(run, flags, context));
    });
}

function addSandbox(
  program: Command,
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: Finish,
): void {
  const sandbox = program
    .command('sandbox')
    .description('see and remove the sandboxes that are there');
  for (const [name, description] of [
    ['ls', 'list the sandboxes of a provider that this user has made'],
    ['reap', 'remove sandboxes of this user that have expired or whose owner is dead'],
  ] as const) {
    sandbox
      .command(name)
      .description(description)
      .option('-s, --sandbox <provider>', 'the provider', 'local')
      .option('--json', 'machine-readable')
      .action(async (flags: { sandbox: string; json?: boolean }) => {
        const { runSandbox } = await import('./commands/sandbox.ts');
        finish(await runSandbox(name, flags, dotted, context));
      });
  }
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

function positiveInteger(value: string): number {
  const number = wholeNumberIn(value);
  if (number === null || number < 1)
    throw new InvalidArgumentError('a whole number above 0 is needed, for example 4.');
  return number;
}

function wholeNumber(value: string): number {
  const number = wholeNumberIn(value);
  if (number === null) throw new InvalidArgumentError('a whole number is needed, for example 0.');
  return number;
}

/** Plain decimal digits only: `1e2` or `0x10` is more likely a slip than a count. */
function wholeNumberIn(value: string): number | null {
  const number = Number(value);
  return /^\d+$/.test(value) && Number.isSafeInteger(number) ? number : null;
}
