import { SandboxError } from '@hermes/sandbox';
import type { HostKind } from './host-kind.ts';
import type { Lease } from './lease.ts';
import { LeaseQueue, type Waiter } from './lease-queue.ts';
import { PoolHosts, type PoolHostsOptions } from './pool-hosts.ts';
import { type SlotPoolStats, WaitTimes } from './pool-stats.ts';

export type SlotPoolOptions = PoolHostsOptions & Readonly<{ acquireTimeoutMs: number }>;

/** isHolder: who asks has a slot already, and gives it back only when it gets another. Such a one never waits for others. */
export type AcquireOptions = Readonly<{ signal?: AbortSignal | undefined; isHolder?: boolean }>;

/** Who has a slot and who waits for one, over inner sandboxes that come and go with them. */
export class SlotPool {
  readonly #options: SlotPoolOptions;
  readonly #queue: LeaseQueue;
  readonly #hosts: PoolHosts;
  readonly #waits = new WaitTimes();
  #leases = 0;
  #quarantines = 0;
  #isClosed = false;

  constructor(options: SlotPoolOptions) {
    this.#options = options;
    this.#queue = new LeaseQueue(options.clock, options.acquireTimeoutMs);
    this.#hosts = new PoolHosts(options, {
      waiters: () => this.#queue.waiters,
      onChange: () => this.#serve(),
      onRefused: (waiter, error) => this.#queue.fail(waiter, error),
    });
  }

  /** A slot that is proved clean. Rejects with CAPACITY, CANCELLED, or why no inner sandbox could be started. */
  acquire(
    kind: HostKind,
    lifetimeMs: number,
    { signal, isHolder = false }: AcquireOptions = {},
  ): Promise<Lease> {
    if (this.#isClosed) return Promise.reject(closedError());
    const extra = isHolder ? this.#takeExtra(kind, lifetimeMs) : null;
    if (extra !== null) return Promise.resolve(extra);
    const waiting = this.#queue.wait(kind, lifetimeMs, signal);
    this.#serve();
    return waiting;
  }

  /** Whether somebody will be given the place of this lease after its end. */
  isReused(lease: Lease): boolean {
    return this.#hosts.ownerOf(lease)?.isReused(lease) ?? false;
  }

  /** Gives a slot back; one that is not clean is never given again. A lease of an inner sandbox that is gone has ended with it. */
  release(lease: Lease, isClean: boolean): void {
    const owner = this.#hosts.ownerOf(lease);
    if (owner === undefined) return;
    if (!isClean) this.#quarantines += 1;
    owner.giveBack(lease, isClean, this.#nowMs());
    this.#hosts.tidy(owner);
    this.#serve();
  }

  stats(): SlotPoolStats {
    const { waiters } = this.#queue;
    const [first] = waiters;
    const { totals, ...now } = this.#hosts.stats();
    return {
      ...now,
      waiting: waiters.length,
      longestWaitMs: first === undefined ? 0 : this.#nowMs() - first.sinceMs,
      totals: { leases: this.#leases, quarantines: this.#quarantines, ...totals },
      waits: this.#waits.summary(),
    };
  }

  /** Ends every inner sandbox with all that is in it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#queue.waiters) this.#queue.fail(waiter, closedError());
    await this.#hosts.close(closedError());
  }

  /** Gives free slots to who came first, then sees to it that the others get theirs. */
  #serve(): void {
    if (this.#isClosed) return;
    for (const waiter of this.#queue.waiters) {
      const lease = this.#takeFor(waiter);
      if (lease === null) continue;
      this.#waits.add(this.#nowMs() - waiter.sinceMs);
      this.#queue.serve(waiter, lease);
    }
    this.#hosts.grow();
  }

  /** From the fullest that has one, so that the emptiest can end. */
  #takeFor(waiter: Waiter): Lease | null {
    const able = this.#hosts.suitable(waiter).filter((host) => host.freeSlots > 0);
    const [fullest] = able.sort((a, b) => a.freeSlots - b.freeSlots);
    return fullest?.take(this.#nextGeneration()) ?? null;
  }

  /** A free slot, else one beyond the number: waiting for each other, all holders would wait for ever. */
  #takeExtra(kind: HostKind, lifetimeMs: number): Lease | null {
    const asker: Waiter = { kind, lifetimeMs, sinceMs: this.#nowMs() };
    const free = this.#takeFor(asker);
    if (free !== null) return free;
    const suitable = this.#hosts.suitable(asker);
    const [leastUsed] = suitable.sort((a, b) => a.leasedSlots - b.leasedSlots);
    return leastUsed?.takeExtra(this.#nextGeneration()) ?? null;
  }

  #nextGeneration(): number {
    this.#leases += 1;
    return this.#leases;
  }

  #nowMs(): number {
    return this.#options.clock.now().monoMs;
  }
}

function closedError(): SandboxError {
  return new SandboxError('CANCELLED', 'request', 'acquire a slot: the pool was closed');
}
