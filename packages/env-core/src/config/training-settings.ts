import type { Values } from './_parse-fields.ts';
import type { TRAINING_FIELDS } from './_training-keys.ts';

/** Section `env`: how groups are made, written down, and sent to a trainer. */
export type TrainingSettings = Readonly<{
  groupSize: number;
  /** null = the trainer says. */
  totalSteps: number | null;
  /** Groups under way at once; null = by `maxWorkersPerNode`. */
  maxWorkers: number | null;
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
  /** The file that groups are written to; null = none was named. */
  outputPath: string | null;
  minGroupsBeforeReport: number;
  rolloutsToKeep: number;
  /** Rollouts of a group in the table of rollouts; -1 = all. */
  rolloutsPerGroup: number;
}>;

/** The values of section `env` as `process` and `serve` use them. */
export function toTrainingSettings(values: Values<typeof TRAINING_FIELDS>): TrainingSettings {
  return {
    groupSize: values.group_size,
    totalSteps: positive(values.total_steps),
    maxWorkers: positive(values.max_num_workers),
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
    outputPath: values.data_path_to_save_groups,
    minGroupsBeforeReport: values.min_items_sent_before_logging,
    rolloutsToKeep: values.num_rollouts_to_keep,
    rolloutsPerGroup: values.num_rollouts_per_group_for_logging,
  };
}

const HANDLING = {
  STOP_TRAIN: 'stop_train',
  LIMIT_TRAIN: 'limit_train',
  NONE: 'none',
} as const;

function positive(count: number): number | null {
  return count > 0 ? count : null;
}
