import type { Clock } from '@hermes/protocol';
import type { Proc } from '@hermes/sandbox';
import type { SlotConfig } from './slot-config.ts';

/** Longest wait for the end of a process that was killed. */
const ENDING_MS = 15_000;

/** Starts the program that makes a slot. Throws SandboxError. */
export type MakeSlot = (config: SlotConfig, signal: AbortSignal | undefined) => Promise<Proc>;

/** One slot, from its making to its end: it lives as long as the process that has made it. */
export class Slot {
  readonly config: SlotConfig;
  readonly #make: MakeSlot;
  readonly #clock: Clock;
  #proc: Promise<Proc> | null = null;
  #hasEnded = false;

  constructor(config: SlotConfig, make: MakeSlot, clock: Clock) {
    this.config = config;
    this.#make = make;
    this.#clock = clock;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Makes it, once; then its supervisor waits for its limits. Throws SandboxError. */
  begin(signal?: AbortSignal): Promise<Proc> {
    this.#proc ??= this.#started(signal);
    return this.#proc;
  }

  /** Resolves when it is gone with everything in it, or can be waited for no longer. */
  async end(): Promise<void> {
    const over = new AbortController();
    const late = this.#clock.sleep(ENDING_MS, over.signal).catch(() => undefined); // ends early below
    await Promise.race([this.#kill(), late]);
    over.abort();
  }

  #started(signal: AbortSignal | undefined): Promise<Proc> {
    const proc = this.#make(this.config, signal);
    const end = () => {
      this.#hasEnded = true;
    };
    proc.then((one) => one.wait()).then(end, end);
    return proc;
  }

  /** One that could not be started, or cannot be reached any more, has nothing that we could kill. */
  async #kill(): Promise<void> {
    const proc = await this.#proc?.catch(() => null);
    await proc?.kill('KILL').catch(() => undefined);
    await proc?.wait().catch(() => undefined);
  }
}
