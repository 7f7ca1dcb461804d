import type { ResourceUsage } from '@hermes/protocol';

/** Reads how many processes the kernel has killed for want of memory; null where nobody counts. */
export type ReadUsage = () => Promise<ResourceUsage | null>;

/**
 * Says whether a killed command was killed for want of memory: the sandbox's counter grew since the last look.
 * It looks at the start and after each failed command only, so that commands which end well cost nothing.
 */
export class OomWatch {
  readonly #read: ReadUsage;
  #seen: Promise<number>;

  constructor(read: ReadUsage | null) {
    this.#read = read ?? (async () => null);
    this.#seen = this.#count();
  }

  async grew(): Promise<boolean> {
    const before = this.#seen;
    this.#seen = this.#count();
    return (await this.#seen) > (await before);
  }

  async #count(): Promise<number> {
    const usage = await this.#read().catch(() => null);
    return usage?.oomKills ?? 0;
  }
}
