import type { TrainingFormat, TrainingLines } from '@hermes/env-core';
import type { FlagSpec } from '../config/flag-spec.ts';
import { placeOfPath } from '../config/places.ts';
import { filled, oneOf } from '../flag-values.ts';

/** Flags of a file of training data, as they were given. */
export type FileFlags = Readonly<{
  out?: string;
  lines?: TrainingLines;
  format?: TrainingFormat;
}>;

/** defaults: what stands in `--help`. */
export function fileFlags(
  defaults: Readonly<{ out: string; lines: TrainingLines }>,
): readonly FlagSpec[] {
  return [
    {
      flags: '--out <file>',
      description: defaults.out,
      parse: filled,
      key: 'env.data_path_to_save_groups',
      toValue: placeOfPath,
    },
    {
      flags: '--lines <what>',
      description: `trajectories or groups, one a line (default: ${defaults.lines})`,
      parse: oneOf('trajectories', 'groups'),
    },
    {
      flags: '--format <name>',
      description:
        'messages as chat APIs have them, sharegpt, or tokens with masks and log-probs (default: messages)',
      parse: oneOf('messages', 'sharegpt', 'tokens'),
    },
  ];
}
