import { filled, positiveInteger, truthValue, wholeNumber } from '../flag-values.ts';
import type { FlagGroup } from './flag-spec.ts';
import { placeOfData, placeOfPath } from './places.ts';

/** Flags about the configuration, and about where things lie and run. */
export const placeFlags: FlagGroup = {
  heading: 'Configuration and places:',
  flags: [
    {
      flags: '-c, --config <file>',
      description: 'YAML with the sections env and openai; flags win over it',
      parse: filled,
    },
    {
      flags: '-p, --path <folder>',
      description: 'for tasks: one task folder, or a folder of them',
      parse: filled,
      key: 'env.path',
      toValue: placeOfPath,
    },
    {
      flags: '-d, --dataset <path>',
      description: 'for environments over a data set: a file instead of the hub',
      parse: filled,
      key: 'env.dataset',
      toValue: placeOfData,
    },
    {
      flags: '-s, --sandbox <provider>',
      description:
        'local, bubblewrap, host, docker, ssh, slot-pool, a package, or a path (default: local)',
      key: 'env.terminal_backend',
    },
    {
      flags: '-n, --concurrency <n>',
      description: 'rollouts at a time (default: 4)',
      parse: positiveInteger,
      key: 'env.concurrency',
    },
    {
      flags: '--seed <n>',
      description: 'seed of everything random here (default: 0)',
      parse: wholeNumber,
    },
    {
      flags: '--slurm [flag]',
      description: 'of older command lines; it has no effect',
      parse: truthValue,
    },
    {
      flags: '--testing [flag]',
      description: 'of older command lines; it has no effect',
      parse: truthValue,
    },
  ],
};
