import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import type { ExitCode } from '../exit-codes.ts';
import { filled, oneOf } from '../flag-values.ts';
import type { ConfigFlags } from './read-for-people.ts';
import { addRunFlags } from './run-flags.ts';

type Finish = (code: ExitCode) => void;

/** The command `config` with its subcommands. */
export function addConfig(
  program: Command,
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: Finish,
): void {
  const config = program
    .command('config')
    .description('show, check and explain the configuration of a run')
    .addHelpText('after', examples);
  withRunFlags(config.command('show'))
    .description('print every value that would hold, and where it comes from; secrets are hidden')
    .option('--given', 'only what somebody has set')
    .action(async (name: string | undefined, flags: ConfigFlags & { given?: boolean }) => {
      const { runConfigShow } = await import('../commands/config-show.ts');
      finish(await runConfigShow(name ?? null, flags, dotted, context));
    });
  withRunFlags(config.command('check'))
    .description('check a configuration without running anything: 0 where it is right, else 2')
    .action(async (name: string | undefined, flags: ConfigFlags) => {
      const { runConfigCheck } = await import('../commands/config-check.ts');
      finish(await runConfigCheck(name ?? null, flags, dotted, context));
    });
  config
    .command('explain')
    .description('say what a key means: its type, default, flag, variable, and who reads it')
    .argument('[key]', 'env.max_agent_turns, openai.timeout, or without the section (default: all)')
    .option('-e, --environment <name>', 'also the keys of this environment', filled)
    .option('--json', 'machine-readable')
    .action(async (key: string | undefined, flags: { environment?: string; json?: boolean }) => {
      const { runConfigExplain } = await import('../commands/config-explain.ts');
      finish(await runConfigExplain(key ?? null, flags, context));
    });
}

function withRunFlags(command: Command): Command {
  command
    .argument('[environment]', 'whose keys and defaults hold; without it, those of all are known')
    .option('--for <command>', 'evaluate, process or serve', oneOf('evaluate', 'process', 'serve'))
    .option('--json', 'machine-readable');
  addRunFlags(command);
  return command;
}

const examples = `
Examples:
  hermes config check tblite --config local.yaml              is this file right?
  hermes config show gsm8k --config run.yaml --max-turns 5    what would hold, and from where
  hermes config explain max_token_length                      what a key means`;
