import type { Sized } from './form-batches.ts';
import { largestSize, packedIndices } from './grab-exact.ts';

/** The least share of each batch that an environment asked for. */
export type Minimum = Readonly<{ environmentId: number; share: number }>;

type Basket = { readonly indices: number[]; sequences: number };

/** Indices of groups with exactly `batchSize` sequences that give each environment its share, or null. Groups of no environment are left. */
export function grabWithMinimums(
  queue: readonly Sized[],
  batchSize: number,
  minimums: readonly Minimum[],
): readonly number[] | null {
  if (queue.length === 0) return null;
  const packed = packedByEnvironment(queue);
  const needed = neededSequences(queue, packed, batchSize, minimums);
  if (needed === null) return null;
  const basket: Basket = { indices: [], sequences: 0 };
  for (const [id, sequences] of needed) {
    fill(basket, queue, packed.get(id) ?? [], batchSize, sequences);
  }
  const chosen = new Set(basket.indices);
  const rest = [...packed.values()].flat().filter((index) => !chosen.has(index));
  rest.sort((a, b) => a - b);
  fill(basket, queue, rest, batchSize, Number.POSITIVE_INFINITY);
  const isFull = basket.indices.length > 0 && basket.sequences === batchSize;
  return isFull ? basket.indices : null;
}

/** Puts groups in until the wanted number is reached, leaving out what would make the batch too large. */
function fill(
  basket: Basket,
  queue: readonly Sized[],
  candidates: readonly number[],
  batchSize: number,
  wanted: number,
): void {
  let taken = 0;
  for (const index of candidates) {
    const size = queue[index]?.size ?? 0;
    if (taken >= wanted || basket.sequences === batchSize) return;
    if (basket.sequences + size > batchSize) continue;
    basket.indices.push(index);
    basket.sequences += size;
    taken += size;
  }
}

function packedByEnvironment(queue: readonly Sized[]): ReadonlyMap<number, readonly number[]> {
  const packSize = largestSize(queue);
  const own = new Map<number, number[]>();
  for (const [index, { environmentId }] of queue.entries()) {
    if (environmentId === null) continue;
    const indices = own.get(environmentId) ?? [];
    indices.push(index);
    own.set(environmentId, indices);
  }
  return new Map(
    [...own].map(([id, indices]) => {
      const groups = indices.map((index) => queue[index] as Sized);
      return [id, packedIndices(groups, packSize).map((position) => indices[position] as number)];
    }),
  );
}

/** Sequences that each environment must have in the batch. null: one of them has nothing to give, so there is no batch. */
function neededSequences(
  queue: readonly Sized[],
  packed: ReadonlyMap<number, readonly number[]>,
  batchSize: number,
  minimums: readonly Minimum[],
): ReadonlyMap<number, number> | null {
  const needed = new Map<number, number>();
  for (const { environmentId, share } of minimums) {
    const sequences = Math.trunc(batchSize * share);
    if (sequences <= 0) continue;
    if ((packed.get(environmentId) ?? []).length === 0) return null;
    needed.set(environmentId, sequences);
  }
  const total = [...needed.values()].reduce((sum, sequences) => sum + sequences, 0);
  if (total <= batchSize) return needed;
  return new Map([...needed].map(([id, sequences]) => [id, scaled(id, sequences)]));

  function scaled(id: number, sequences: number): number {
    const sizes = (packed.get(id) ?? []).map((index) => queue[index]?.size ?? 0);
    return Math.max(Math.min(...sizes), Math.trunc(sequences * (batchSize / total)));
  }
}
