import { Command } from 'commander';
import type { CompareFlags } from './commands/compare.ts';
import { addConfig } from './config/config-command.ts';
import { addFlags } from './config/flag-spec.ts';
import type { CliContext } from './context.ts';
import type { DottedFlag } from './dotted-flags.ts';
import { addEvaluate } from './evaluate-command.ts';
import type { ExitCode } from './exit-codes.ts';
import { addGateway } from './gateway/gateway-command.ts';
import { addSandbox } from './sandbox-command.ts';
import type { ConfigFlag } from './sandboxes/read-sandbox-config.ts';
import { settingFlags } from './sandboxes/source-flags.ts';
import { addTextCommands } from './text-commands.ts';
import { addTraining } from './training/training-commands.ts';
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
  addEvaluate(program, async (environment, flags) => {
    const { runEvaluate } = await import('./commands/evaluate.ts');
    finish(await runEvaluate(environment, flags, dotted, context));
  });
  addTraining(program, context, dotted, finish);
  addGateway(program, async (flags) => {
    const { runGateway } = await import('./commands/gateway.ts');
    finish(await runGateway(flags, dotted, context));
  });
  addConfig(program, context, dotted, finish);
  addLists(program, context, dotted, finish);
  addReport(program, context, finish);
  addCompare(program, context, finish);
  addSandbox(program, context, dotted, finish);
  addTextCommands(program, context, finish);
  return program;
}

const examples = `
Examples:
  hermes evaluate smoke --model oracle                  the built-in tasks, played by their own solutions
  hermes evaluate tasks --path ./tasks --model oracle   a folder of Harbor tasks
  hermes evaluate smoke --model openai:NAME --base-url http://127.0.0.1:8000/v1
  hermes config check smoke --config run.yaml           is this configuration right?
  hermes report runs/RUN                                the table again, from the records
  hermes compare runs/ONE runs/OTHER                    which run is better, and how sure that is
  hermes parse --format hermes < answer.txt             tool calls in the raw text of a model

Exit codes: 0 it ran; 1 a failure of the run (a full disk, no trial could be scored);
2 wrong usage or configuration; 130 interrupted, after a clean shutdown`;

function addLists(
  program: Command,
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: Finish,
): void {
  program
    .command('environments')
    .description('list the environments and their configuration keys')
    .option('--json', 'machine-readable')
    .action(async (flags: { json?: boolean }) => {
      const { runEnvironments } = await import('./commands/environments.ts');
      finish(await runEnvironments(flags, context));
    });
  const providers = program
    .command('providers')
    .description(
      'list the sandbox providers: capabilities as declared, and as proved on this machine',
    )
    .argument('[provider]', 'only this one: a name, a package, or a path')
    .action(async (name: string | undefined, flags: ConfigFlag & { json?: boolean }) => {
      const { runProviders } = await import('./commands/providers.ts');
      finish(await runProviders(name ?? null, flags, dotted, context));
    });
  const doctor = program
    .command('doctor')
    .description('check this machine and say how to mend what is missing')
    .action(async (flags: ConfigFlag & { json?: boolean }) => {
      const { runDoctor } = await import('./commands/doctor.ts');
      finish(await runDoctor(flags, dotted, context));
    });
  for (const command of [providers, doctor]) addFlags(command, [settingFlags]);
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

function addCompare(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('compare')
    .description('compare two runs task by task, with an interval of the difference')
    .argument('<run>', 'the folder of a run')
    .argument('<run>', 'the folder of the other run')
    .option('--anyway', 'also where environment, configuration or data differ')
    .option('--json', 'the comparison as JSON')
    .action(async (first: string, second: string, flags: CompareFlags) => {
      const { runCompare } = await import('./commands/compare.ts');
      finish(await runCompare(first, second, flags, context));
    });
}
