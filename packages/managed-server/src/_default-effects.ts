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

/** setTimeout fires at once beyond this. */
const MAX_TIMER_MS = 2_147_483_647;

const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  async sleep(ms, signal) {
    try {
      await sleep(Math.min(ms, MAX_TIMER_MS), undefined, signal ? { signal } : {});
    } catch (cause) {
      throw new ModelError('CANCELLED', 'The wait was cancelled by its signal.', { cause });
    }
  },
};

/** Only jitter is drawn from it: nothing that has to be the same again. */
const chance: Random = { next: () => Math.random(), fork: () => chance };
