import type { Command } from 'commander';
import { addFlags, type FlagGroup } from './config/flag-spec.ts';
import { itemFlags } from './config/item-flags.ts';
import { runFlagGroups } from './config/run-flags.ts';
import type { EvaluateFlags } from './evaluate-flags.ts';
import { collectWords, filled, positiveInteger } from './flag-values.ts';

/** The command `evaluate` with its flags, by theme. */
export function addEvaluate(
  program: Command,
  run: (environment: string, flags: EvaluateFlags) => Promise<void>,
): void {
  const command = program
    .command('evaluate')
    .description('run an environment and score it')
    .argument(
      '<environment>',
      'an id (see hermes environments), a package, or a path: ./file.js, ./file.js#export',
    );
  addFlags(command, [...runFlagGroups, itemFlags, runGroup]);
  command.addHelpText('after', aboutKeys).action(run);
}

/** What `--help` says of keys and variables, for every command that reads a configuration. */
export const aboutKeys = `
Any key of a configuration section is a flag too: --env.terminal_timeout 60, --openai.timeout 300 (hermes config explain lists them)
Settings of the sandbox provider itself: --env.sandbox.KEY VALUE, --env.docker_image NAME, --env.ssh_host HOST, ...
Flags win over --config, and both over variables: OPENAI_BASE_URL, OPENAI_API_KEY, TERMINAL_ENV, TERMINAL_DOCKER_IMAGE, ...
A key belongs into a variable: OPENAI_API_KEY, or the one that --api-key-env names.`;

const runGroup: FlagGroup = {
  heading: 'Run:',
  flags: [
    {
      flags: '-k, --attempts <n>',
      description: 'attempts for each item (default: 1)',
      parse: positiveInteger,
    },
    {
      flags: '-o, --run-dir <folder>',
      description: 'where the run is kept (default: a new folder below ./runs)',
      parse: filled,
    },
    {
      flags: '--resume',
      description: 'go on with the run in --run-dir: finished trials are kept',
    },
    {
      flags: '--retry <list>',
      description:
        'with --resume, run these again too: errored, a reason (model), a cause (model_timeout), reward<N',
      parse: collectWords,
    },
    { flags: '--json', description: 'one event a line on stdout, the summary last' },
  ],
};
