import type { SandboxError } from '@hermes/sandbox';
import { type HostEndOptions, HostEnds } from './host-ends.ts';
import { type HostStartOptions, HostStarts, type Starting } from './host-starts.ts';
import type { Lease } from './lease.ts';
import type { Waiter } from './lease-queue.ts';
import type { SlotPoolStats } from './pool-stats.ts';
import { PooledHost, type Wear } from './pooled-host.ts';
import type { SlotHost } from './slot-host.ts';

export type PoolHostsOptions = Wear &
  HostStartOptions &
  HostEndOptions &
  Readonly<{ maxSandboxes: number }>;

/** The queue, as far as its length decides what is started and ended. */
export type Demand = Readonly<{
  /** In the order in which they came. */
  waiters: () => readonly Waiter[];
  /** A host has come or gone. */
  onChange: () => void;
  /** Nothing can serve this one, for this reason. */
  onRefused: (waiter: Waiter, error: SandboxError) => void;
}>;

type HostStats = Omit<SlotPoolStats, 'waiting' | 'longestWaitMs' | 'waits' | 'totals'> &
  Readonly<{ totals: Pick<SlotPoolStats['totals'], 'sandboxes' | 'lostSandboxes'> }>;

/** The inner sandboxes of a pool: as many as those who wait need, and fewer when nobody comes. */
export class PoolHosts {
  readonly #options: PoolHostsOptions;
  readonly #demand: Demand;
  readonly #hosts = new Set<PooledHost>();
  readonly #starts: HostStarts;
  readonly #ends: HostEnds;
  readonly #totals = { sandboxes: 0, lostSandboxes: 0 };

  constructor(options: PoolHostsOptions, demand: Demand) {
    this.#options = options;
    this.#demand = demand;
    this.#starts = new HostStarts(options, {
      onArrived: (starting, host) => this.#arrived(starting, host),
      onFailed: (starting, error) => this.#failed(starting, error),
    });
    this.#ends = new HostEnds(options, this.#hosts, demand.onChange);
  }

  /** Those in which this one could have a slot, now or when one is free. */
  suitable(waiter: Waiter): PooledHost[] {
    const { wallMs } = this.#options.clock.now();
    return [...this.#hosts].filter((host) => host.suits(waiter, wallMs));
  }

  ownerOf(lease: Lease): PooledHost | undefined {
    return [...this.#hosts].find((one) => one.has(lease));
  }

  /** Starts as many as those who wait need beside those that are starting. */
  grow(): void {
    const { maxSandboxes } = this.#options;
    const room = () => maxSandboxes - this.#hosts.size - this.#starts.count;
    const unserved = this.#starts.startFor(this.#demand.waiters(), room);
    if (unserved !== null) this.#makeRoom(unserved);
  }

  /** To be called when a lease of it has ended. */
  tidy(host: PooledHost): void {
    this.#ends.tidy(host);
  }

  stats(): HostStats {
    const hosts = [...this.#hosts];
    const sum = (count: (host: PooledHost) => number) =>
      hosts.reduce((total, host) => total + count(host), 0);
    return {
      sandboxes: hosts.length,
      startingSandboxes: this.#starts.count,
      freeSlots: sum((host) => host.freeSlots),
      leasedSlots: sum((host) => host.leasedSlots),
      quarantinedSlots: sum((host) => host.quarantinedSlots),
      totals: { ...this.#totals },
    };
  }

  async close(reason: SandboxError): Promise<void> {
    await this.#starts.close(reason);
    await this.#ends.endAll('the pool was closed');
  }

  /** Where nothing that is there can ever serve the waiter, the least used one has to go. */
  #makeRoom(waiter: Waiter): void {
    const hosts = [...this.#hosts];
    const comes = this.#starts.hasFor(waiter) || this.suitable(waiter).length > 0;
    if (comes || hosts.some((host) => host.isDraining)) return;
    const [leastUsed] = hosts.sort((a, b) => a.leasedSlots - b.leasedSlots);
    leastUsed?.drain();
    if (leastUsed !== undefined) this.tidy(leastUsed);
  }

  #arrived({ kind }: Starting, host: SlotHost): void {
    const { slotsPerSandbox, clock } = this.#options;
    this.#totals.sandboxes += 1;
    const nowMs = clock.now().monoMs;
    const made = new PooledHost(host, kind, slotsPerSandbox, this.#options, nowMs);
    this.#hosts.add(made);
    const lost = () => this.#lost(made);
    if (host.gone.aborted) lost();
    else host.gone.addEventListener('abort', lost, { once: true });
    this.tidy(made);
    this.#demand.onChange();
  }

  /** Who can only be served by a new one learns why there is none; the others go on waiting. */
  #failed(starting: Starting, error: SandboxError): boolean {
    const refused = this.#demand
      .waiters()
      .filter((waiter) => this.#starts.suits(starting, waiter))
      .filter((waiter) => this.suitable(waiter).length === 0);
    for (const waiter of refused) this.#demand.onRefused(waiter, error);
    return refused.length > 0;
  }

  #lost(host: PooledHost): void {
    if (!this.#hosts.has(host)) return;
    this.#totals.lostSandboxes += 1;
    this.#ends.end(host, 'it is gone');
  }
}
