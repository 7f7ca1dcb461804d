import { field, type Theme, theme } from './_fields.ts';
import { integer, nullable, text } from './_kinds.ts';
import type { RunCommand } from './run-command.ts';

/** Section `env`: how groups are made and written down. */
export type GroupSettings = Readonly<{
  groupSize: number;
  /** null = the trainer says. */
  totalSteps: number | null;
  /** Groups under way at once; null = by `maxWorkersPerNode`. */
  maxWorkers: number | null;
  /** The file that groups are written to; null = none was named. */
  outputPath: string | null;
}>;

const GROUPS: readonly RunCommand[] = ['process', 'serve'];

/** Its keys. */
export const groupKeys: Theme<GroupSettings> = theme(
  {
    group_size: field(
      integer(1),
      4,
      'rollouts of one item that are compared with each other',
      GROUPS,
    ),
    total_steps: field(
      integer(-1),
      1_000,
      'serve: training steps; process: groups; -1: the trainer says',
      GROUPS,
    ),
    max_num_workers: field(
      integer(-1),
      -1,
      'groups under way at once; -1: by max_num_workers_per_node',
      GROUPS,
    ),
    data_path_to_save_groups: field(
      nullable(text('data/groups.jsonl')),
      null,
      'the file that groups are written to',
      GROUPS,
    ),
  },
  (values) => ({
    groupSize: values.group_size,
    totalSteps: positive(values.total_steps),
    maxWorkers: positive(values.max_num_workers),
    outputPath: values.data_path_to_save_groups,
  }),
);

function positive(count: number): number | null {
  return count > 0 ? count : null;
}
