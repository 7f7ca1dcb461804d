import type { Clock } from '@hermes/protocol';
import { SandboxError } from '@hermes/sandbox';
import { type MakeSlot, Slot } from './slot.ts';
import type { SlotConfig, SlotShape } from './slot-config.ts';

/** How slots are made in an inner sandbox. */
export type SlotWorkshop = Readonly<{
  make: MakeSlot;
  /** What an ended slot has left; null: it is proved that there is nothing. */
  findRemains: (config: SlotConfig) => Promise<string | null>;
  clock: Clock;
}>;

/**
 * Makes the slots of one inner sandbox, and the next one of a place as soon as its last is proved gone: most who come then find a
 * slot that waits for them. A place has one slot at most at any time.
 */
export class SlotMaking {
  readonly #workshop: SlotWorkshop;
  /** Made for nobody yet, by their places. */
  readonly #ready = new Map<number, Slot>();
  #made = 0;

  constructor(workshop: SlotWorkshop) {
    this.#workshop = workshop;
  }

  /** Makes a slot for whoever comes next; who then wants another kind, or finds this one ended, gets its own. */
  prepare(shape: SlotShape): void {
    const slot = this.#plan(shape);
    this.#ready.set(shape.index, slot);
    slot.begin().catch(() => undefined); // whoever comes next tries again, and is told why
  }

  /** A slot that has begun already, or begins when it is told to. */
  take(shape: SlotShape): Slot {
    const ready = this.#ready.get(shape.index);
    this.#ready.delete(shape.index);
    if (ready === undefined) return this.#plan(shape);
    return !ready.hasEnded && hasShape(ready, shape)
      ? ready
      : this.#plan(shape, () => this.#clear(ready));
  }

  /** Names are never used again. */
  #plan(shape: SlotShape, before: () => Promise<void> = async () => undefined): Slot {
    this.#made += 1;
    const config = { ...shape, name: `${shape.index}-${this.#made}` };
    const { make, clock } = this.#workshop;
    return new Slot(config, (...args) => before().then(() => make(...args)), clock);
  }

  /** Nobody was in it, but its place must be as empty as after any other. */
  async #clear(ready: Slot): Promise<void> {
    await ready.end();
    const remains = await this.#workshop.findRemains(ready.config);
    if (remains === null) return;
    const message = `make a slot: the one that was ready in its place is not gone: ${remains}`;
    throw new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message, { retryable: true });
  }
}

/** Shapes are all built in the same order. */
function hasShape({ config }: Slot, shape: SlotShape): boolean {
  const { name: _name, ...own } = config;
  return JSON.stringify(own) === JSON.stringify(shape);
}
