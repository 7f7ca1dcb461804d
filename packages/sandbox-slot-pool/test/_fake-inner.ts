import type { Clock } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import type { HostKind } from '../src/host-kind.ts';
import type { SlotHost } from '../src/slot-host.ts';
import { SlotPool, type SlotPoolOptions } from '../src/slot-pool.ts';

/** Time that moves when it is told to. */
export class ManualClock implements Clock {
  #ms = 0;
  readonly #sleepers = new Set<{ untilMs: number; wake: () => void }>();

  now(): { wallMs: number; monoMs: number } {
    return { wallMs: this.#ms, monoMs: this.#ms };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { untilMs: this.#ms + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      const stop = () => {
        this.#sleepers.delete(sleeper);
        reject(new Error('cancelled'));
      };
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  }

  async pass(ms: number): Promise<void> {
    this.#ms += ms;
    for (const sleeper of this.#sleepers)
      if (sleeper.untilMs <= this.#ms) {
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      }
    await settled();
  }
}

/** An inner sandbox as the pool sees it. */
export type FakeHost = Readonly<{ kind: HostKind; lose: () => void; isDisposed: () => boolean }>;

/** A pool over inner sandboxes that are nothing but a promise to be there. */
export class FakeInner {
  readonly clock: ManualClock = new ManualClock();
  readonly hosts: FakeHost[] = [];
  readonly pool: SlotPool;
  /** Set: the next one cannot be started. */
  failure: SandboxError | null = null;
  /** Starting waits for this. */
  starting: Promise<void> = Promise.resolve();

  constructor(options: Partial<SlotPoolOptions> = {}) {
    this.pool = new SlotPool({
      ...{ slotsPerSandbox: 2, minSandboxes: 0, maxSandboxes: 2, acquireTimeoutMs: 30_000 },
      startTimeoutMs: 20_000,
      ...{ idleMs: 60_000, maxLeases: 1000, maxAgeMs: 3_600_000, maxQuarantined: 2 },
      clock: this.clock,
      logger: { log: () => undefined },
      openHost: (kind, lifetimeMs) => this.#open(kind, lifetimeMs),
      ...options,
    });
  }

  async #open(kind: HostKind, lifetimeMs: number): Promise<SlotHost> {
    await this.starting;
    if (this.failure !== null) throw this.failure;
    const gone = new AbortController();
    const disposed = { value: false };
    this.hosts.push({
      kind,
      lose: () => gone.abort(new SandboxError('SANDBOX_GONE', 'sandbox', 'killed')),
      isDisposed: () => disposed.value,
    });
    const sandbox = {
      ref: { id: `inner-${this.hosts.length}` },
      info: { expiresAtMs: this.clock.now().wallMs + lifetimeMs + 3_600_000 },
      dispose: async () => {
        disposed.value = true;
      },
    };
    return { sandbox, gone: gone.signal } as unknown as SlotHost;
  }
}

export const PLAIN: HostKind = { key: 'plain', image: null, network: 'none' };
export const OTHER: HostKind = { key: 'other', image: null, network: 'open' };

/** Lets everything happen that has only been waiting for a turn. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** The value of a promise that is settled, else null. */
export async function settledValue<Value>(promise: Promise<Value>): Promise<Value | null> {
  await settled();
  return Promise.race([promise, Promise.resolve(null)]);
}
