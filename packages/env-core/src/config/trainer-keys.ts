import { field, type Theme, theme } from './_fields.ts';
import { between, choice, decimal, flag, integer, nullable, text } from './_kinds.ts';
import type { RunCommand } from './run-command.ts';

/** Section `env`: how a trainer is fed. */
export type TrainerSettings = Readonly<{
  maxWorkersPerNode: number;
  maxEvalWorkers: number;
  /** 0 = never. */
  stepsPerEval: number;
  evalHandling: 'stop_train' | 'limit_train' | 'none';
  evalLimitRatio: number;
  inferenceWeight: number;
  /** Sequences; null = the trainer says. */
  batchSize: number | null;
  maxBatchesOffPolicy: number;
  /** From 0 to 1; null = none. */
  minBatchShare: number | null;
  /** null = none. */
  workerTimeoutMs: number | null;
  trainerUrl: string;
  dropSameScores: boolean;
  includeMessages: boolean;
  minGroupsBeforeReport: number;
  rolloutsToKeep: number;
  /** Rollouts of a group in the table of rollouts; -1 = all. */
  rolloutsPerGroup: number;
}>;

const TRAINER: readonly RunCommand[] = ['serve'];

/** Its keys. */
export const trainerKeys: Theme<TrainerSettings> = theme(
  {
    max_num_workers_per_node: field(
      integer(1),
      8,
      'groups under way at once for each server',
      TRAINER,
    ),
    max_eval_workers: field(
      integer(1),
      16,
      'rollouts at a time in an evaluation of serve',
      TRAINER,
    ),
    steps_per_eval: field(
      integer(),
      100,
      'steps between two evaluations; 0 or less: none',
      TRAINER,
    ),
    eval_handling: field(
      choice('STOP_TRAIN', 'LIMIT_TRAIN', 'NONE'),
      'STOP_TRAIN',
      'what becomes of the training during an evaluation',
      TRAINER,
    ),
    eval_limit_ratio: field(
      between(0, 1, '0.5'),
      0.5,
      'share of the groups at once under LIMIT_TRAIN',
      TRAINER,
    ),
    inference_weight: field(
      decimal(),
      1,
      "this environment's part of the trainer's data; 0 or less: as little as can be",
      TRAINER,
    ),
    batch_size: field(integer(), -1, 'sequences of one batch; -1: the trainer says', TRAINER),
    max_batches_offpolicy: field(
      integer(0),
      3,
      'batches in stock at the trainer before this environment pauses',
      TRAINER,
    ),
    min_batch_allocation: field(
      nullable(between(0, 1, '0.25')),
      null,
      'least share of a batch',
      TRAINER,
    ),
    worker_timeout: field(decimal(-1), 600, 'seconds of one rollout; -1: none', TRAINER),
    rollout_server_url: field(
      text('http://localhost:8000'),
      'http://localhost:8000',
      'the trajectory API of the trainer',
      TRAINER,
    ),
    ensure_scores_are_not_same: field(
      flag(),
      true,
      'leave out groups whose scores are all the same',
      TRAINER,
    ),
    include_messages: field(
      flag(),
      false,
      'send and write the messages beside the tokens',
      TRAINER,
    ),
    min_items_sent_before_logging: field(
      integer(0),
      2,
      'groups before there is something to report',
      TRAINER,
    ),
    num_rollouts_to_keep: field(integer(0), 32, 'rows of the table of rollouts', TRAINER),
    num_rollouts_per_group_for_logging: field(
      integer(-1),
      1,
      'rollouts of a group in that table; -1: all',
      TRAINER,
    ),
  },
  (values) => ({
    maxWorkersPerNode: values.max_num_workers_per_node,
    maxEvalWorkers: values.max_eval_workers,
    stepsPerEval: Math.max(0, values.steps_per_eval),
    evalHandling: HANDLING[values.eval_handling],
    evalLimitRatio: values.eval_limit_ratio,
    inferenceWeight: values.inference_weight,
    batchSize: positive(values.batch_size),
    maxBatchesOffPolicy: values.max_batches_offpolicy,
    minBatchShare: values.min_batch_allocation,
    workerTimeoutMs: values.worker_timeout <= 0 ? null : values.worker_timeout * 1000,
    trainerUrl: values.rollout_server_url,
    dropSameScores: values.ensure_scores_are_not_same,
    includeMessages: values.include_messages,
    minGroupsBeforeReport: values.min_items_sent_before_logging,
    rolloutsToKeep: values.num_rollouts_to_keep,
    rolloutsPerGroup: values.num_rollouts_per_group_for_logging,
  }),
);

const HANDLING = {
  STOP_TRAIN: 'stop_train',
  LIMIT_TRAIN: 'limit_train',
  NONE: 'none',
} as const;

function positive(count: number): number | null {
  return count > 0 ? count : null;
}
