import type { FlagGroup } from '../config/flag-spec.ts';
import type { RunFlags } from '../config/run-flags.ts';
import { filled, oneOf, positiveInteger, positiveNumber, wholeNumber } from '../flag-values.ts';
import { type FileFlags, fileFlags } from './file-flags.ts';

/** The flags of `hermes serve`. */
export type ServeFlags = RunFlags &
  FileFlags &
  Readonly<{
    trainerUrl?: string;
    withTrainerApi?: boolean;
    trainerTokenFile?: string;
    waitForTrainer?: number;
    name?: string;
    groupSize?: number;
    segments?: 'last' | 'longest';
    evalEvery?: number;
    evalLimit?: number;
    runDir?: string;
    resume?: boolean;
    json?: boolean;
  }>;

const trainer: FlagGroup = {
  heading: 'Trainer:',
  flags: [
    {
      flags: '--trainer-url <url>',
      description: 'where the trajectory API listens (default: http://localhost:8000)',
      parse: filled,
      key: 'env.rollout_server_url',
    },
    {
      flags: '--with-trainer-api',
      description: 'run the trajectory API in this process, at that address',
    },
    {
      flags: '--trainer-token-file <file>',
      description: 'the token that the trajectory API wants',
      parse: filled,
    },
    {
      flags: '--wait-for-trainer <seconds>',
      description: 'then give up (default: wait without end)',
      parse: positiveNumber,
    },
    {
      flags: '--name <name>',
      description: 'how the trainer calls this environment (default: its id)',
      parse: filled,
      key: 'env.wandb_name',
    },
  ],
};

const groups: FlagGroup = {
  heading: 'Groups:',
  flags: [
    {
      flags: '-g, --group-size <n>',
      description: 'attempts at each item (default: 4)',
      parse: positiveInteger,
      key: 'env.group_size',
    },
    {
      flags: '--segments <which>',
      description: 'last or longest: what is sent of a rollout with several token segments',
      parse: oneOf('last', 'longest'),
    },
    {
      flags: '--eval-every <n>',
      description: 'steps between evaluations; 0: none (default: 100)',
      parse: wholeNumber,
      key: 'env.steps_per_eval',
    },
    {
      flags: '--eval-limit <n>',
      description: 'only the first n items of an evaluation',
      parse: positiveInteger,
    },
    ...fileFlags({ out: 'also write the groups, as JSON lines', lines: 'groups' }),
  ],
};

const run: FlagGroup = {
  heading: 'Run:',
  flags: [
    {
      flags: '-o, --run-dir <folder>',
      description: 'where the run is kept (default: a new folder below ./runs)',
      parse: filled,
    },
    { flags: '--resume', description: 'go on with the run in --run-dir' },
    { flags: '--json', description: 'one event a line on stdout, the summary last' },
  ],
};

/** Those that no other command has, in the order of `--help`. */
export const serveFlagGroups: readonly FlagGroup[] = [trainer, groups, run];
