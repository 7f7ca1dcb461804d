import type { TrainerStatus } from '@hermes/protocol';
import type { GroupRules } from './serve-rules.ts';

/** All that the number of groups under way depends on. */
export type Demand = Readonly<{
  rules: GroupRules;
  /** null: the trainer has not said yet. */
  batchSize: number | null;
  status: TrainerStatus;
  /** Groups that fit into the places for rollouts. */
  limit: number;
}>;

const MAX_BATCHES_OFF_POLICY = 3;

/**
 * How many groups may be under way or waiting to be sent. So many that, all at the trainer, they make
 * the batches that it may have in stock; never below what keeps this environment's own least share.
 */
export function groupsWanted({ rules, batchSize, status, limit }: Demand): number {
  const { maxBatchesOffPolicy = MAX_BATCHES_OFF_POLICY, minBatchShare = 0, size } = rules;
  if (batchSize === null) return 0;
  if (maxBatchesOffPolicy <= 0) return limit;
  const ownBatch = Math.floor(batchSize * (status.unallocatedShare + minBatchShare));
  const stock = Math.floor((maxBatchesOffPolicy * ownBatch) / size);
  const wanted = Math.min(limit, stock - status.queuedGroups);
  const least = minBatchShare > 0 ? leastOf(rules, batchSize, status) : 0;
  return Math.max(0, Math.min(limit, Math.max(wanted, least)));
}

/** Groups that are missing until the least share of every batch in stock is there, counted in packs of the largest group. */
function leastOf(
  { maxBatchesOffPolicy = MAX_BATCHES_OFF_POLICY, minBatchShare = 0, size }: GroupRules,
  batchSize: number,
  { maxGroupSize: largest, ownQueuedGroups }: TrainerStatus,
): number {
  const packs = Math.ceil((minBatchShare * batchSize * maxBatchesOffPolicy) / largest);
  const sequences = (packs + Math.floor(largest / size)) * largest - ownQueuedGroups * size;
  return Math.max(0, Math.ceil(sequences / size));
}

/** Whether the trainer has all that it needs: its last step is done, or the queue holds more than is left. */
export function isOver(
  { step, queuedGroups }: TrainerStatus,
  totalSteps: number | null,
  size: number,
  batchSize: number | null,
): boolean {
  if (totalSteps === null) return false;
  const queuedSteps = batchSize === null ? 0 : Math.floor((queuedGroups * size) / batchSize);
  return step >= totalSteps || step + queuedSteps > totalSteps;
}

/** Whether a number of steps that is due every so often was reached or passed; a jump over it counts. */
export function isDue(before: number, now: number, every: number): boolean {
  return every > 0 && Math.floor(now / every) > Math.floor(before / every);
}
