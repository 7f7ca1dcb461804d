import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Effects, ModelError, type Random } from '@hermes/protocol';

/** Real clock, random ids, real chance, a silent logger; each may be replaced. */
export function withDefaultEffects(given: Partial<Effects> = {}): Effects {
  return {
    clock: given.clock ?? systemClock,
    newId: given.newId ?? ((prefix) => `${prefix}_${randomBytes(12).toString('hex')}`),
    random: given.random ?? chance,
    logger: given.logger ?? { log: () => undefined },
  };
}

const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, signal ? { signal } : {});
    } catch (cause) {
      throw new ModelError('CANCELLED', 'The wait was cancelled by its signal.', { cause });
    }
  },
};

/** Seeds are drawn from it where a request has none. */
const chance: Random = { next: () => Math.random(), fork: () => chance };
