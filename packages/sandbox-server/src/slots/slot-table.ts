import type { ServerEffects } from '../_effects.ts';
import { Refusal } from '../http/refusal.ts';
import type { LeaseParts } from './lease.ts';
import { Slot } from './slot.ts';

export type SlotTableParts = LeaseParts & Readonly<{ count: number; effects: ServerEffects }>;

/** All slots of a server, by their names. */
export class SlotTable {
  readonly capabilities: LeaseParts['capabilities'];
  readonly #slots: ReadonlyMap<string, Slot>;
  readonly #effects: ServerEffects;
  #isClosed = false;

  constructor({ count, effects, ...parts }: SlotTableParts) {
    const { newId } = effects;
    const runId = newId('server');
    const ids = Array.from({ length: count }, (_, index) => `slot_${index}`);
    this.#slots = new Map(ids.map((id) => [id, new Slot(id, { ...parts, runId, newId })]));
    this.#effects = effects;
    this.capabilities = parts.capabilities;
  }

  get all(): readonly Slot[] {
    return [...this.#slots.values()];
  }

  /** Throws a Refusal: 404 for a name of no slot, 503 once the server closes. */
  find(id: string): Slot {
    if (this.#isClosed) throw new Refusal(503, 'the server is closing');
    const slot = this.#slots.get(id);
    if (slot !== undefined) return slot;
    const last = this.#slots.size - 1;
    throw new Refusal(404, `there is no slot ${id}; there are slot_0 to slot_${last}`);
  }

  /** Ends every sandbox; what could not be removed is logged, and the provider's reaper finds it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ends = await Promise.allSettled(this.all.map((slot) => slot.reset()));
    for (const end of ends)
      if (end.status === 'rejected')
        this.#effects.logger.log('warn', `A slot was left: ${String(end.reason)}`);
  }
}
