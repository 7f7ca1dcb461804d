import type { TrainingFileOptions } from '@hermes/env-core';
import { InvalidArgumentError } from 'commander';
import type { FlagGroup } from '../config/flag-spec.ts';
import { type ItemFlags, itemFlags } from '../config/item-flags.ts';
import type { RunFlags } from '../config/run-flags.ts';
import { collectWords, decimalNumber, filled, oneOf, positiveInteger } from '../flag-values.ts';
import { type FileFlags, fileFlags } from './file-flags.ts';

type Split = NonNullable<TrainingFileOptions['split']>;

/** The flags of `hermes process`. */
export type ProcessFlags = RunFlags &
  FileFlags &
  ItemFlags &
  Readonly<{
    groupSize?: number;
    split?: Split;
    page: boolean;
    only?: 'passed' | 'failed';
    minReward?: number;
    maxReward?: number;
    dedupe?: boolean;
    maxFailedGroups?: number;
    runDir?: string;
    resume?: boolean;
    retry?: readonly string[];
    json?: boolean;
  }>;

/** Those that no other command has, in the order of `--help`. */
export const processFlagGroups: readonly FlagGroup[] = [
  {
    heading: 'File:',
    flags: [
      ...fileFlags({ out: 'JSON lines (default: data/ENVIRONMENT.jsonl)', lines: 'trajectories' }),
      {
        flags: '--split <shares>',
        description: 'one file a part, each item in one of them: train=0.9,test=0.1',
        parse: splitFlag,
      },
      { flags: '--no-page', description: 'no HTML page beside the file' },
    ],
  },
  {
    heading: 'What is written:',
    flags: [
      {
        flags: '-g, --group-size <n>',
        description: 'attempts at each item (default: 1; 4 with --lines groups)',
        parse: positiveInteger,
        key: 'env.group_size',
      },
      {
        flags: '--only <outcome>',
        description: 'trajectories that passed, or failed',
        parse: oneOf('passed', 'failed'),
      },
      {
        flags: '--min-reward <n>',
        description: 'trajectories with at least this reward',
        parse: decimalNumber,
      },
      {
        flags: '--max-reward <n>',
        description: 'trajectories with at most this reward',
        parse: decimalNumber,
      },
      { flags: '--dedupe', description: 'no conversation twice' },
    ],
  },
  itemFlags,
  {
    heading: 'Run:',
    flags: [
      {
        flags: '-o, --run-dir <folder>',
        description: 'where the run is kept (default: out.run beside out)',
        parse: filled,
      },
      { flags: '--resume', description: 'go on with an interrupted run and its file' },
      {
        flags: '--retry <list>',
        description: 'with --resume, play what was given up again: errored, a reason, a cause',
        parse: collectWords,
      },
      {
        flags: '--max-failed-groups <n>',
        description: 'the run ends after so many groups that could not be had (default: 50)',
        parse: positiveInteger,
      },
      { flags: '--json', description: 'one event a line on stdout, the summary last' },
    ],
  },
];

/** `train=0.9,validation=0.1`. */
function splitFlag(value: string): Split {
  const parts = value.split(',').map((part) => part.split('='));
  const shares = parts.map(([name = '', share = '']) => [name.trim(), Number(share)] as const);
  const isFine = parts.every((part) => part.length === 2) && shares.every(([, n]) => n > 0);
  if (isFine) return Object.fromEntries(shares);
  throw new InvalidArgumentError('write NAME=SHARE,NAME=SHARE, for example train=0.9,test=0.1.');
}
