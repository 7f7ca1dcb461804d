import type { HostKind } from './host-kind.ts';
import type { Lease } from './lease.ts';
import type { Waiter } from './lease-queue.ts';
import type { SlotHost } from './slot-host.ts';

/** When an inner sandbox is replaced. */
export type Wear = Readonly<{ maxLeases: number; maxAgeMs: number; maxQuarantined: number }>;

/** One inner sandbox of the pool: which of its slots are free, and whether it still gives any. */
export class PooledHost {
  readonly kind: HostKind;
  readonly #host: SlotHost;
  readonly #wear: Wear;
  readonly #bornMs: number;
  /** Given back; a slot may be ready in each. */
  readonly #givenBack: number[] = [];
  /** Places from here on were never given. */
  #firstUnused = 0;
  readonly #leases = new Set<Lease>();
  readonly #slots: number;
  /** In quarantine. */
  readonly #spoilt = new Set<number>();
  #given = 0;
  #draining = false;
  #idleSinceMs: number;

  constructor(host: SlotHost, kind: HostKind, slots: number, wear: Wear, nowMs: number) {
    this.kind = kind;
    this.#slots = slots;
    this.#host = host;
    this.#wear = wear;
    this.#bornMs = nowMs;
    this.#idleSinceMs = nowMs;
  }

  get host(): SlotHost {
    return this.#host;
  }

  get freeSlots(): number {
    return this.#givenBack.length + this.#slots - this.#firstUnused;
  }

  get leasedSlots(): number {
    return this.#leases.size;
  }

  get quarantinedSlots(): number {
    return this.#spoilt.size;
  }

  get isIdle(): boolean {
    return this.#leases.size === 0;
  }

  get idleSinceMs(): number {
    return this.#idleSinceMs;
  }

  /** It gives no more slots and ends with its last lease. */
  get isDraining(): boolean {
    return this.#draining;
  }

  drain(): void {
    this.#draining = true;
  }

  /** Whether a slot of it would do, now or when one is free. */
  suits({ kind, lifetimeMs }: Waiter, wallMs: number): boolean {
    if (this.#draining || this.#host.gone.aborted) return false;
    const endsMs = this.#host.sandbox.info.expiresAtMs;
    return kind.key === this.kind.key && wallMs + lifetimeMs <= endsMs;
  }

  /** A place in which a slot waits comes before one in which it is yet to be made; of those the one that had most time. */
  take(generation: number): Lease | null {
    const index = this.#givenBack.shift() ?? this.#unused();
    return index === null ? null : this.#lease(index, generation);
  }

  #unused(): number | null {
    if (this.#firstUnused === this.#slots) return null;
    this.#firstUnused += 1;
    return this.#firstUnused - 1;
  }

  /** One beyond the number of slots. */
  takeExtra(generation: number): Lease {
    const taken = new Set([...this.#leases].map(({ index }) => index));
    let index = this.#slots;
    while (taken.has(index) || this.#spoilt.has(index)) index += 1;
    return this.#lease(index, generation);
  }

  #lease(index: number, generation: number): Lease {
    const name = `${index}-g${generation}`;
    const lease: Lease = { host: this.#host, index, generation, name, gone: this.#host.gone };
    this.#leases.add(lease);
    this.#given += 1;
    return lease;
  }

  has(lease: Lease): boolean {
    return this.#leases.has(lease);
  }

  /** Whether somebody will be given the place of this lease after its end. */
  isReused({ index }: Lease): boolean {
    return index < this.#slots && !this.#draining && this.#given < this.#wear.maxLeases;
  }

  /** A slot that is not proved clean is never given again. */
  giveBack(lease: Lease, isClean: boolean, nowMs: number): void {
    if (!this.#leases.delete(lease)) return;
    if (!isClean) this.#spoilt.add(lease.index);
    else if (lease.index < this.#slots) this.#givenBack.push(lease.index);
    this.#idleSinceMs = nowMs;
    if (this.#isWornOut(nowMs)) this.drain();
  }

  #isWornOut(nowMs: number): boolean {
    const { maxLeases, maxAgeMs, maxQuarantined } = this.#wear;
    const isOld = nowMs - this.#bornMs >= maxAgeMs;
    return isOld || this.#given >= maxLeases || this.#spoilt.size >= maxQuarantined;
  }
}
