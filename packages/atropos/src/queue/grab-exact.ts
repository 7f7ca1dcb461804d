import type { Sized } from './form-batches.ts';

/**
 * Indices of groups with exactly `batchSize` sequences, or null. Groups of one size wait for each other until they make up the largest
 * group of the queue; such packs are taken in order. So sizes should be powers of two that divide the batch.
 */
export function grabExact(queue: readonly Sized[], batchSize: number): readonly number[] | null {
  if (queue.length === 0) return null;
  const batch: number[] = [];
  let sequences = 0;
  for (const index of packedIndices(queue, largestSize(queue))) {
    batch.push(index);
    sequences += queue[index]?.size ?? 0;
    if (sequences === batchSize) return batch;
    if (sequences > batchSize) return null;
  }
  return null;
}

export function largestSize(queue: readonly Sized[]): number {
  return queue.reduce((largest, { size }) => Math.max(largest, size), 0);
}

/** The groups that are part of a whole pack, in the order in which their packs became whole. */
export function packedIndices(queue: readonly Sized[], packSize: number): readonly number[] {
  const open = new Map<number, number[]>();
  const packed: number[] = [];
  for (const [index, { size }] of queue.entries()) {
    const sameSize = open.get(size) ?? [];
    sameSize.push(index);
    const isWhole = sameSize.length * size === packSize;
    if (isWhole) packed.push(...sameSize);
    open.set(size, isWhole ? [] : sameSize);
  }
  return packed;
}
