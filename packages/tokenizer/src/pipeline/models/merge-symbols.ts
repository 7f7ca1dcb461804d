import type { PairTable } from './pair-table.ts';

/** Up to here a look at all pairs is faster than a heap. */
const SHORT = 40;

/** Merges the pair of the lowest rank, the leftmost first, until none is left. Changes and returns `symbols`. */
export function mergeSymbols(symbols: number[], pairs: PairTable): number[] {
  return symbols.length <= SHORT ? mergeShort(symbols, pairs) : mergeLong(symbols, pairs);
}

function mergeShort(symbols: number[], pairs: PairTable): number[] {
  const slots: number[] = [];
  for (let index = 0; index + 1 < symbols.length; index += 1)
    slots.push(slotAt(symbols, index, pairs));
  for (;;) {
    const best = lowest(slots, pairs);
    if (best === -1) return symbols;
    symbols.splice(best, 2, pairs.mergedAt(slots[best] ?? 0));
    slots.splice(best, 1);
    if (best < slots.length) slots[best] = slotAt(symbols, best, pairs);
    if (best > 0) slots[best - 1] = slotAt(symbols, best - 1, pairs);
  }
}

function slotAt(symbols: readonly number[], index: number, pairs: PairTable): number {
  return pairs.find(symbols[index] ?? 0, symbols[index + 1] ?? 0);
}

function lowest(slots: readonly number[], pairs: PairTable): number {
  let best = -1;
  let bestRank = Infinity;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index] ?? -1;
    if (slot === -1) continue;
    const rank = pairs.rankAt(slot);
    if (rank < bestRank) {
      bestRank = rank;
      best = index;
    }
  }
  return best;
}

/** A linked list of symbols and a heap of the pairs that could be merged; outdated pairs are passed over. */
function mergeLong(symbols: number[], pairs: PairTable): number[] {
  const next = symbols.map((_, index) => index + 1);
  const previous = symbols.map((_, index) => index - 1);
  const heap = new PairHeap();
  const offer = (left: number): void => {
    const right = next[left] ?? symbols.length;
    if (left < 0 || right >= symbols.length) return;
    const slot = pairs.find(symbols[left] ?? 0, symbols[right] ?? 0);
    if (slot !== -1) heap.push({ rank: pairs.rankAt(slot), left, right, slot });
  };
  for (let index = 0; index < symbols.length; index += 1) offer(index);
  for (let pair = heap.pop(); pair !== null; pair = heap.pop()) {
    const { left, right, slot } = pair;
    const isCurrent =
      next[left] === right &&
      symbols[left] !== GONE &&
      pairs.find(symbols[left] ?? 0, symbols[right] ?? 0) === slot;
    if (!isCurrent) continue;
    symbols[left] = pairs.mergedAt(slot);
    symbols[right] = GONE;
    const after = next[right] ?? symbols.length;
    next[left] = after;
    if (after < symbols.length) previous[after] = left;
    offer(previous[left] ?? -1);
    offer(left);
  }
  return symbols.filter((symbol) => symbol !== GONE);
}

const GONE = -1;

type Pair = Readonly<{ rank: number; left: number; right: number; slot: number }>;

/** A binary heap: the lowest rank first, of these the leftmost. */
class PairHeap {
  private readonly items: Pair[] = [];

  push(pair: Pair): void {
    const items = this.items;
    let index = items.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !isBefore(pair, above)) break;
      items[index] = above;
      index = parent;
    }
    items[index] = pair;
  }

  pop(): Pair | null {
    const first = this.items[0];
    const last = this.items.pop();
    if (first === undefined || last === undefined) return null;
    if (this.items.length > 0) this.sink(last);
    return first;
  }

  private sink(pair: Pair): void {
    const items = this.items;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      let below = items[child];
      const other = items[child + 1];
      if (below === undefined) break;
      if (other !== undefined && isBefore(other, below)) {
        child += 1;
        below = other;
      }
      if (!isBefore(below, pair)) break;
      items[index] = below;
      index = child;
    }
    items[index] = pair;
  }
}

function isBefore(one: Pair, other: Pair): boolean {
  return one.rank === other.rank ? one.left < other.left : one.rank < other.rank;
}
