import type { Clock } from '@hermes/protocol';

/** When somebody last used the sandbox. Work that runs counts as use. */
export class Activity {
  readonly #clock: Clock;
  #running = 0;
  #lastMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastMs = clock.now().monoMs;
  }

  /** For how long nothing ran. */
  get idleMs(): number {
    return this.#running > 0 ? 0 : this.#clock.now().monoMs - this.#lastMs;
  }

  /** Counts as use until the work has settled. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#lastMs = this.#clock.now().monoMs;
    }
  }
}
