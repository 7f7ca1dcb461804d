import type { Clock, ResourceUsage } from '@hermes/protocol';

const LATE_LOOKS = 4;
const LATE_MS = 25;

/** Reads how many processes the kernel has killed for want of memory; null where nobody counts. */
export type ReadUsage = () => Promise<ResourceUsage | null>;

/**
 * Says whether a killed command was killed for want of memory: the sandbox's counter grew since the last look.
 * It looks at the start and after each failed command only, so that commands which end well cost nothing.
 */
export class OomWatch {
  readonly #read: ReadUsage;
  readonly #clock: Pick<Clock, 'sleep'>;
  #seen: Promise<number>;

  constructor(read: ReadUsage | null, clock: Pick<Clock, 'sleep'>) {
    this.#read = read ?? (async () => null);
    this.#clock = clock;
    this.#seen = this.#count();
  }

  /** isKilled: the command died of SIGKILL. Its counter may come a moment after it, so that is waited for. */
  async grew(isKilled: boolean): Promise<boolean> {
    const before = this.#seen;
    this.#seen = this.#countAbove(before, isKilled ? LATE_LOOKS : 0);
    return (await this.#seen) > (await before);
  }

  async #countAbove(before: Promise<number>, looks: number): Promise<number> {
    const count = await this.#count();
    if (looks === 0 || count > (await before)) return count;
    await this.#clock.sleep(LATE_MS);
    return this.#countAbove(before, looks - 1);
  }

  async #count(): Promise<number> {
    const usage = await this.#read().catch(() => null);
    return usage?.oomKills ?? 0;
  }
}
