/** How long slots were waited for, over the last thousand. */
export type WaitStats = Readonly<{ count: number; p50Ms: number; p95Ms: number; maxMs: number }>;

/** A pool at one moment. */
export type SlotPoolStats = Readonly<{
  sandboxes: number;
  startingSandboxes: number;
  freeSlots: number;
  leasedSlots: number;
  /** Slots that could not be proved clean, and are not given again. */
  quarantinedSlots: number;
  waiting: number;
  longestWaitMs: number;
  /** Of the pool's whole life. */
  totals: Readonly<{
    leases: number;
    quarantines: number;
    sandboxes: number;
    lostSandboxes: number;
  }>;
  waits: WaitStats;
}>;

const KEPT = 1000;

/** The last waits, for a pool's statistics. */
export class WaitTimes {
  readonly #times: number[] = [];
  #count = 0;

  add(ms: number): void {
    this.#count += 1;
    this.#times.push(ms);
    if (this.#times.length > KEPT) this.#times.shift();
  }

  summary(): WaitStats {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    return { count: this.#count, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: sorted.at(-1) ?? 0 };
  }
}
