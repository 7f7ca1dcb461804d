/** Finds the rank of two neighbouring tokens, and what they become: a hash table in flat arrays. */
export class PairTable {
  private readonly mask: number;
  private readonly lefts: Int32Array;
  private readonly rights: Int32Array;
  private readonly values: Int32Array;

  /** `merges[rank]` are the left, the right and the new id. A later rank of a pair wins, as in the reference. */
  constructor(merges: readonly (readonly [left: number, right: number, merged: number])[]) {
    const capacity = 2 ** Math.ceil(Math.log2(merges.length * 2 + 2));
    this.mask = capacity - 1;
    this.lefts = new Int32Array(capacity).fill(-1);
    this.rights = new Int32Array(capacity);
    this.values = new Int32Array(capacity * 2);
    merges.forEach(([left, right, merged], rank) => {
      const slot = this.slotOf(left, right);
      this.lefts[slot] = left;
      this.rights[slot] = right;
      this.values[slot * 2] = rank;
      this.values[slot * 2 + 1] = merged;
    });
  }

  /** Where the pair is, or -1. */
  find(left: number, right: number): number {
    const slot = this.slotOf(left, right);
    return this.lefts[slot] === -1 ? -1 : slot;
  }

  rankAt(slot: number): number {
    return this.values[slot * 2] ?? 0;
  }

  mergedAt(slot: number): number {
    return this.values[slot * 2 + 1] ?? 0;
  }

  private slotOf(left: number, right: number): number {
    let slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & this.mask;
    while (this.lefts[slot] !== -1 && (this.lefts[slot] !== left || this.rights[slot] !== right))
      slot = (slot + 1) & this.mask;
    return slot;
  }
}
