import type { Command } from 'commander';
import { addRunCommand } from './config/add-run-command.ts';
import type { FlagGroup } from './config/flag-spec.ts';
import { itemFlags } from './config/item-flags.ts';
import { runFlagGroups } from './config/run-flags.ts';
import type { EvaluateFlags } from './evaluate-flags.ts';
import { collectWords, filled, positiveInteger } from './flag-values.ts';

/** The command `evaluate` with its flags, by theme. */
export function addEvaluate(
  program: Command,
  run: (environment: string, flags: EvaluateFlags) => Promise<void>,
): void {
  addRunCommand(program, {
    name: 'evaluate',
    description: 'run an environment and score it',
    groups: [...runFlagGroups, itemFlags, runGroup],
    help: '',
  }).action(run);
}

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
