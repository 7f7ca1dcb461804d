import type { Clock } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import type { HostKind } from './host-kind.ts';
import type { Lease } from './lease.ts';

/** Somebody who waits for a slot. */
export type Waiter = Readonly<{ kind: HostKind; lifetimeMs: number; sinceMs: number }>;

type Entry = {
  readonly waiter: Waiter;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (error: SandboxError) => void;
};

/** Who waits for a slot, first come first served, each with a deadline. */
export class LeaseQueue {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #entries = new Map<Waiter, Entry>();

  constructor(clock: Clock, deadlineMs: number) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
  }

  /** In the order in which they came. */
  get waiters(): readonly Waiter[] {
    return [...this.#entries.keys()];
  }

  /** Rejects with CAPACITY at the deadline and with CANCELLED when the signal fires. */
  wait(kind: HostKind, lifetimeMs: number, signal: AbortSignal | undefined): Promise<Lease> {
    const waiter: Waiter = { kind, lifetimeMs, sinceMs: this.#clock.now().monoMs };
    const served = new AbortController();
    const waiting = new Promise<Lease>((resolve, reject) => {
      this.#entries.set(waiter, { waiter, resolve, reject });
    }).finally(() => served.abort());
    const cancel = () => this.fail(waiter, cancelled());
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { signal: served.signal });
    this.#clock.sleep(this.#deadlineMs, served.signal).then(
      () => this.fail(waiter, this.#late()),
      () => undefined, // served in time
    );
    return waiting;
  }

  serve(waiter: Waiter, lease: Lease): void {
    const entry = this.#take(waiter);
    entry?.resolve(lease);
  }

  fail(waiter: Waiter, error: SandboxError): void {
    const entry = this.#take(waiter);
    entry?.reject(error);
  }

  #take(waiter: Waiter): Entry | undefined {
    const entry = this.#entries.get(waiter);
    this.#entries.delete(waiter);
    return entry;
  }

  #late(): SandboxError {
    const message = `acquire a slot: none was free within ${this.#deadlineMs / 1000} s; raise maxSandboxes, slotsPerSandbox or acquireTimeoutMs, or run fewer rollouts at once`;
    return new SandboxError('CAPACITY', 'request', message, { retryable: true });
  }
}

function cancelled(): SandboxError {
  return new SandboxError('CANCELLED', 'request', 'acquire a slot: cancelled');
}
