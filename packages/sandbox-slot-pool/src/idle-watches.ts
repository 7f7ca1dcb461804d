import type { Clock } from '@hermes/protocol';
import type { PooledHost } from './pooled-host.ts';

/** Tells when an inner sandbox has been without leases for long enough. */
export class IdleWatches {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #watches = new Map<PooledHost, AbortController>();

  constructor(clock: Clock, idleMs: number) {
    this.#clock = clock;
    this.#idleMs = idleMs;
  }

  /** Each time it becomes idle its time begins anew: false when it was used, watched again or forgotten meanwhile. */
  async wasIdle(host: PooledHost): Promise<boolean> {
    const since = host.idleSinceMs;
    const watch = new AbortController();
    this.forget(host);
    this.#watches.set(host, watch);
    try {
      await this.#clock.sleep(this.#idleMs, watch.signal);
      return host.isIdle && host.idleSinceMs === since;
    } catch {
      return false; // the sleep ends early only by `forget`
    }
  }

  forget(host: PooledHost): void {
    this.#watches.get(host)?.abort();
    this.#watches.delete(host);
  }
}
