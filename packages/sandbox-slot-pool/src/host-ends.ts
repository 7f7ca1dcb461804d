import type { Clock, Logger } from '@hermes/protocol';
import { IdleWatches } from './idle-watches.ts';
import type { PooledHost } from './pooled-host.ts';

export type HostEndOptions = Readonly<{
  minSandboxes: number;
  idleMs: number;
  clock: Clock;
  logger: Logger;
}>;

/** Ends the inner sandboxes of a pool that are worn out, that nobody needs, or that are gone. */
export class HostEnds {
  readonly #options: HostEndOptions;
  readonly #hosts: Set<PooledHost>;
  readonly #onEnd: () => void;
  readonly #idleWatches: IdleWatches;
  readonly #ending = new Set<Promise<void>>();

  /** Takes those that end out of `hosts`, then calls `onEnd`. */
  constructor(options: HostEndOptions, hosts: Set<PooledHost>, onEnd: () => void) {
    this.#options = options;
    this.#hosts = hosts;
    this.#onEnd = onEnd;
    this.#idleWatches = new IdleWatches(options.clock, options.idleMs);
  }

  /** Ends one that is worn out and empty, and looks again later at one that is empty. */
  tidy(host: PooledHost): void {
    if (!host.isIdle) return;
    if (host.isDraining) this.end(host, 'it is worn out');
    else void this.#endWhenIdle(host);
  }

  /** Does nothing for one that has ended already. */
  end(host: PooledHost, why: string): void {
    if (!this.#hosts.delete(host)) return;
    this.#idleWatches.forget(host);
    const done = this.#dispose(host, why);
    this.#ending.add(done);
    void done.then(() => this.#ending.delete(done));
    this.#onEnd();
  }

  /** Resolves when all are gone. */
  async endAll(why: string): Promise<void> {
    for (const host of this.#hosts) this.end(host, why);
    await Promise.all(this.#ending);
  }

  async #endWhenIdle(host: PooledHost): Promise<void> {
    const isUnused = await this.#idleWatches.wasIdle(host);
    if (isUnused && this.#hosts.size > this.#options.minSandboxes)
      this.end(host, 'nobody needs it');
  }

  async #dispose({ host: { sandbox } }: PooledHost, why: string): Promise<void> {
    try {
      await sandbox.dispose(why);
    } catch (cause) {
      const fields = { sandbox: sandbox.ref.id, error: String(cause) };
      this.#options.logger.log('warn', 'an inner sandbox could not be removed', fields);
    }
  }
}
