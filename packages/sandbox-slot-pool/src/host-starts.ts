import type { Clock, Logger } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import type { HostKind } from './host-kind.ts';
import { inTime } from './in-time.ts';
import type { Waiter } from './lease-queue.ts';
import type { SlotHost } from './slot-host.ts';

/** Starts an inner sandbox that lives long enough for a lease of `lifetimeMs`; the signal fires when nobody waits for it any more. */
type OpenHost = (kind: HostKind, lifetimeMs: number, signal: AbortSignal) => Promise<SlotHost>;

/** Longest wait, at the end of a pool, for what is still being started. */
const CLOSING_MS = 30_000;

/** An inner sandbox on its way, for a first lease of `lifetimeMs`. */
export type Starting = Readonly<{ kind: HostKind; lifetimeMs: number }>;

type StartEvents = Readonly<{
  onArrived: (starting: Starting, host: SlotHost) => void;
  /** Whether anybody was told. */
  onFailed: (starting: Starting, error: SandboxError) => boolean;
}>;

export type HostStartOptions = Readonly<{
  slotsPerSandbox: number;
  maxAgeMs: number;
  startTimeoutMs: number;
  clock: Clock;
  logger: Logger;
  openHost: OpenHost;
}>;

/** The inner sandboxes of a pool that are being started. */
export class HostStarts {
  readonly #options: HostStartOptions;
  readonly #events: StartEvents;
  readonly #starting = new Map<Starting, Promise<void>>();
  /** Also those that nobody waits for any more. */
  readonly #working = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();

  constructor(options: HostStartOptions, events: StartEvents) {
    this.#options = options;
    this.#events = events;
  }

  get count(): number {
    return this.#starting.size;
  }

  /** Starts one for each who finds no place in those that come, as long as there is room; the first who then has none is returned. */
  startFor(waiters: readonly Waiter[], room: () => number): Waiter | null {
    const { slotsPerSandbox } = this.#options;
    const coming = [...this.#starting.keys()].map((one) => ({ one, slots: slotsPerSandbox }));
    for (const waiter of waiters) {
      const place = coming.find(({ one, slots }) => slots > 0 && this.suits(one, waiter));
      if (place !== undefined) place.slots -= 1;
      else if (room() <= 0) return waiter;
      else coming.push({ one: this.#start(waiter), slots: slotsPerSandbox - 1 });
    }
    return null;
  }

  hasFor(waiter: Waiter): boolean {
    return [...this.#starting.keys()].some((one) => this.suits(one, waiter));
  }

  /** What is started lives for its first lease beyond its own age. */
  suits({ kind, lifetimeMs }: Starting, waiter: Waiter): boolean {
    const longestMs = lifetimeMs + this.#options.maxAgeMs;
    return kind.key === waiter.kind.key && waiter.lifetimeMs <= longestMs;
  }

  /** What comes nevertheless is gone again when this resolves, unless it takes too long. */
  async close(reason: SandboxError): Promise<void> {
    this.#closed.abort(reason);
    await Promise.all(this.#starting.values());
    const done = new AbortController();
    const late = this.#options.clock.sleep(CLOSING_MS, done.signal).catch(() => undefined); // ends early below
    await Promise.race([this.#untilDone(), late]);
    done.abort();
  }

  #start({ kind, lifetimeMs }: Waiter): Starting {
    const starting: Starting = { kind, lifetimeMs };
    const started = this.#open(starting).then(
      (host) => {
        this.#starting.delete(starting);
        this.#events.onArrived(starting, host);
      },
      (cause: unknown) => {
        this.#starting.delete(starting);
        this.#failed(starting, asSandboxError(cause));
      },
    );
    this.#starting.set(starting, started);
    return starting;
  }

  #open({ kind, lifetimeMs }: Starting): Promise<SlotHost> {
    const { clock, startTimeoutMs: timeoutMs, openHost } = this.#options;
    return inTime((signal) => this.#tracked(openHost(kind, lifetimeMs, signal)), {
      ...{ clock, timeoutMs, signal: this.#closed.signal },
      late: () => startedLate(timeoutMs),
      drop: (host) => void this.#tracked(host.sandbox.dispose('it came too late')),
    });
  }

  #tracked<Value>(work: Promise<Value>): Promise<Value> {
    const forget = () => void this.#working.delete(work);
    this.#working.add(work);
    work.then(forget, forget);
    return work;
  }

  async #untilDone(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
  }

  #failed(starting: Starting, error: SandboxError): void {
    if (this.#events.onFailed(starting, error)) return;
    const fields = { error: error.message };
    this.#options.logger.log('warn', 'an inner sandbox could not be started', fields);
  }
}

function startedLate(timeoutMs: number): SandboxError {
  const message = `start an inner sandbox: it was not there within ${timeoutMs / 1000} s; look at the inner provider (hermes doctor), or raise startTimeoutMs`;
  return new SandboxError('TRANSPORT', 'provider', message, { retryable: true });
}

function asSandboxError(cause: unknown): SandboxError {
  if (SandboxError.isInstance(cause)) return cause as SandboxError;
  const message = `start an inner sandbox: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new SandboxError('SANDBOX_UNHEALTHY', 'provider', message, { cause });
}
