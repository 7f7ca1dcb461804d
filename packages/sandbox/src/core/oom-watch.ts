/** Reads how many processes the kernel has killed for want of memory; null where nobody counts. */
export type ReadOomKills = () => Promise<number | null>;

/** The counter as it was known at some moment. */
export type OomMark = Promise<number>;

/**
 * Says whether a killed command was killed for want of memory: the sandbox's counter grew while it ran. It looks
 * once at the start and after each failed command, so that commands which end well cost nothing. One look after
 * the end is enough: the kernel counts a kill before it sends the signal.
 */
export class OomWatch {
  readonly #read: ReadOomKills;
  #seen: OomMark;

  /** Resolves after the first look: a command that starts before it might be killed before it, and go unseen. */
  static async open(read: ReadOomKills | null): Promise<OomWatch> {
    const watch = new OomWatch(read ?? (async () => null));
    await watch.#seen;
    return watch;
  }

  private constructor(read: ReadOomKills) {
    this.#read = read;
    this.#seen = this.#count();
  }

  /** For a command that starts now. Those that fail beside it look too, and take nothing away from it. */
  mark(): OomMark {
    return this.#seen;
  }

  /** Looks again. */
  async grewSince(mark: OomMark): Promise<boolean> {
    this.#seen = this.#count();
    return (await this.#seen) > (await mark);
  }

  async #count(): Promise<number> {
    return (await this.#read().catch(() => null)) ?? 0;
  }
}
