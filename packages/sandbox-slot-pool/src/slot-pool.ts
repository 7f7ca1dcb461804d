import type { Clock, Logger } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import type { HostKind } from './host-kind.ts';
import { IdleWatches } from './idle-watches.ts';
import type { Lease } from './lease.ts';
import { LeaseQueue, type Waiter } from './lease-queue.ts';
import { type SlotPoolStats, WaitTimes } from './pool-stats.ts';
import { PooledHost, type Wear } from './pooled-host.ts';
import type { SlotHost } from './slot-host.ts';

export type SlotPoolOptions = Wear &
  Readonly<{
    slotsPerSandbox: number;
    minSandboxes: number;
    maxSandboxes: number;
    acquireTimeoutMs: number;
    idleMs: number;
    clock: Clock;
    logger: Logger;
    /** Starts an inner sandbox that lives long enough for a lease of `lifetimeMs`. */
    openHost: (kind: HostKind, lifetimeMs: number, signal: AbortSignal) => Promise<SlotHost>;
  }>;

/** isHolder: who asks has a slot already, and gives it back only when it gets another. Such a one never waits for others. */
export type AcquireOptions = Readonly<{ signal?: AbortSignal | undefined; isHolder?: boolean }>;

type Starting = Readonly<{ kind: HostKind; lifetimeMs: number; started: Promise<void> }>;

/** The inner sandboxes and who has a slot in which: it grows with the queue, and shrinks when nobody comes. */
export class SlotPool {
  readonly #options: SlotPoolOptions;
  readonly #queue: LeaseQueue;
  readonly #hosts = new Set<PooledHost>();
  readonly #starting = new Set<Starting>();
  readonly #ending = new Set<Promise<void>>();
  readonly #idleWatches: IdleWatches;
  readonly #closed = new AbortController();
  readonly #waits = new WaitTimes();
  readonly #totals = { leases: 0, quarantines: 0, sandboxes: 0, lostSandboxes: 0 };

  constructor(options: SlotPoolOptions) {
    this.#options = options;
    this.#queue = new LeaseQueue(options.clock, options.acquireTimeoutMs);
    this.#idleWatches = new IdleWatches(options.clock, options.idleMs);
  }

  /** A slot that is proved clean. Rejects with CAPACITY, CANCELLED, or why no inner sandbox could be started. */
  acquire(
    kind: HostKind,
    lifetimeMs: number,
    { signal, isHolder = false }: AcquireOptions = {},
  ): Promise<Lease> {
    if (this.#closed.signal.aborted) return Promise.reject(closedError());
    const extra = isHolder ? this.#takeExtra(kind, lifetimeMs) : null;
    if (extra !== null) return Promise.resolve(extra);
    const waiting = this.#queue.wait(kind, lifetimeMs, signal);
    this.#serve();
    return waiting;
  }

  /** Gives a slot back; one that is not clean is never given again. A lease of an inner sandbox that is gone has ended with it. */
  release(lease: Lease, isClean: boolean): void {
    const owner = [...this.#hosts].find((one) => one.has(lease));
    if (owner === undefined) return;
    if (!isClean) this.#totals.quarantines += 1;
    owner.giveBack(lease, isClean, this.#nowMs());
    this.#tidy(owner);
    this.#serve();
  }

  stats(): SlotPoolStats {
    const sum = (count: (host: PooledHost) => number) =>
      [...this.#hosts].reduce((total, host) => total + count(host), 0);
    const { waiters } = this.#queue;
    const [first] = waiters;
    return {
      sandboxes: this.#hosts.size,
      startingSandboxes: this.#starting.size,
      freeSlots: sum((host) => host.freeSlots),
      leasedSlots: sum((host) => host.leasedSlots),
      quarantinedSlots: sum((host) => host.quarantinedSlots),
      waiting: waiters.length,
      longestWaitMs: first === undefined ? 0 : this.#nowMs() - first.sinceMs,
      totals: { ...this.#totals },
      waits: this.#waits.summary(),
    };
  }

  /** Ends every inner sandbox with all that is in it. */
  async close(): Promise<void> {
    this.#closed.abort(closedError());
    for (const waiter of this.#queue.waiters) this.#queue.fail(waiter, closedError());
    await Promise.all([...this.#starting].map(({ started }) => started));
    for (const host of this.#hosts) this.#end(host, 'the pool was closed');
    await Promise.all(this.#ending);
  }

  /** Gives free slots to who came first, then sees to it that the others get theirs. */
  #serve(): void {
    for (const waiter of this.#queue.waiters) {
      const lease = this.#takeFor(waiter);
      if (lease === null) continue;
      this.#waits.add(this.#nowMs() - waiter.sinceMs);
      this.#queue.serve(waiter, lease);
    }
    this.#grow();
  }

  /** From the fullest that has one, so that the emptiest can end. */
  #takeFor(waiter: Waiter): Lease | null {
    const able = this.#suitable(waiter).filter((host) => host.freeSlots > 0);
    const [fullest] = able.sort((a, b) => a.freeSlots - b.freeSlots);
    return fullest?.take(this.#nextGeneration()) ?? null;
  }

  /** A free slot, else one beyond the number: waiting for each other, all holders would wait for ever. */
  #takeExtra(kind: HostKind, lifetimeMs: number): Lease | null {
    const asker: Waiter = { kind, lifetimeMs, sinceMs: this.#nowMs() };
    const free = this.#takeFor(asker);
    if (free !== null) return free;
    const [leastUsed] = this.#suitable(asker).sort((a, b) => a.leasedSlots - b.leasedSlots);
    return leastUsed?.takeExtra(this.#nextGeneration()) ?? null;
  }

  #suitable(waiter: Waiter): PooledHost[] {
    const { wallMs } = this.#options.clock.now();
    return [...this.#hosts].filter((host) => host.suits(waiter, wallMs));
  }

  #nextGeneration(): number {
    this.#totals.leases += 1;
    return this.#totals.leases;
  }

  /** As many new inner sandboxes as those who wait need beside those that are starting. */
  #grow(): void {
    let coming = [...this.#starting].map((one) => ({
      ...one,
      slots: this.#options.slotsPerSandbox,
    }));
    for (const waiter of this.#queue.waiters) {
      const place = coming.find((one) => one.slots > 0 && this.#suitsStart(one, waiter));
      if (place !== undefined) {
        place.slots -= 1;
        continue;
      }
      if (!this.#hasRoom()) {
        this.#makeRoom(waiter);
        return;
      }
      const begun = this.#start(waiter.kind, waiter.lifetimeMs);
      coming = [...coming, { ...begun, slots: this.#options.slotsPerSandbox - 1 }];
    }
  }

  /** What is started lives for its first lease beyond its own age. */
  #suitsStart(starting: Pick<Starting, 'kind' | 'lifetimeMs'>, waiter: Waiter): boolean {
    const longestMs = starting.lifetimeMs + this.#options.maxAgeMs;
    return starting.kind.key === waiter.kind.key && waiter.lifetimeMs <= longestMs;
  }

  #hasRoom(): boolean {
    return this.#hosts.size + this.#starting.size < this.#options.maxSandboxes;
  }

  /** Where nothing that is there can ever serve the waiter, the least used one has to go. */
  #makeRoom(waiter: Waiter): void {
    const hosts = [...this.#hosts];
    const comes = [...this.#starting].some((one) => this.#suitsStart(one, waiter));
    if (comes || this.#suitable(waiter).length > 0 || hosts.some((host) => host.isDraining)) return;
    const [leastUsed] = hosts.sort((a, b) => a.leasedSlots - b.leasedSlots);
    if (leastUsed === undefined) return;
    leastUsed.drain();
    this.#tidy(leastUsed);
  }

  #start(kind: HostKind, lifetimeMs: number): Starting {
    const started = this.#options.openHost(kind, lifetimeMs, this.#closed.signal).then(
      (host) => this.#arrived(starting, host),
      (cause: unknown) => this.#failed(starting, cause),
    );
    const starting: Starting = { kind, lifetimeMs, started };
    this.#starting.add(starting);
    return starting;
  }

  #arrived(starting: Starting, host: SlotHost): void {
    const { slotsPerSandbox } = this.#options;
    this.#starting.delete(starting);
    this.#totals.sandboxes += 1;
    const made = new PooledHost(host, starting.kind, slotsPerSandbox, this.#options, this.#nowMs());
    this.#hosts.add(made);
    const lost = () => this.#lost(made);
    if (host.gone.aborted) lost();
    else host.gone.addEventListener('abort', lost, { once: true });
    if (this.#closed.signal.aborted) this.#end(made, 'the pool was closed');
    void this.#endWhenIdle(made);
    this.#serve();
  }

  /** Who can only be served by a new one learns why there is none; the others go on waiting. */
  #failed(starting: Starting, cause: unknown): void {
    this.#starting.delete(starting);
    const error = asSandboxError(cause);
    for (const waiter of this.#queue.waiters) {
      const hopes = this.#suitable(waiter).length > 0;
      if (this.#suitsStart(starting, waiter) && !hopes) this.#queue.fail(waiter, error);
    }
    this.#options.logger.log('warn', 'an inner sandbox could not be started', {
      error: error.message,
    });
  }

  #lost(host: PooledHost): void {
    if (!this.#hosts.delete(host)) return;
    this.#idleWatches.forget(host);
    this.#totals.lostSandboxes += 1;
    this.#ending.add(this.#dispose(host, 'it is gone'));
    if (!this.#closed.signal.aborted) this.#serve();
  }

  /** Ends one that is worn out and empty, and looks again later at one that is empty. */
  #tidy(host: PooledHost): void {
    if (!host.isIdle) return;
    if (host.isDraining) this.#end(host, 'it is worn out');
    else void this.#endWhenIdle(host);
  }

  async #endWhenIdle(host: PooledHost): Promise<void> {
    const isUnused = await this.#idleWatches.wasIdle(host);
    if (isUnused && this.#hosts.size > this.#options.minSandboxes)
      this.#end(host, 'nobody needs it');
  }

  #end(host: PooledHost, why: string): void {
    if (!this.#hosts.delete(host)) return;
    this.#idleWatches.forget(host);
    this.#ending.add(this.#dispose(host, why));
    if (!this.#closed.signal.aborted) this.#serve();
  }

  #dispose(host: PooledHost, why: string): Promise<void> {
    const done = host.host.sandbox.dispose(why).then(
      () => undefined,
      (cause: unknown) => {
        const fields = { sandbox: host.host.sandbox.ref.id, error: String(cause) };
        this.#options.logger.log('warn', 'an inner sandbox could not be removed', fields);
      },
    );
    void done.then(() => this.#ending.delete(done));
    return done;
  }

  #nowMs(): number {
    return this.#options.clock.now().monoMs;
  }
}

function asSandboxError(cause: unknown): SandboxError {
  if (SandboxError.isInstance(cause)) return cause as SandboxError;
  const message = `start an inner sandbox: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new SandboxError('SANDBOX_UNHEALTHY', 'provider', message, { cause });
}

function closedError(): SandboxError {
  return new SandboxError('CANCELLED', 'request', 'acquire a slot: the pool was closed');
}
