import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Effects, Random } from '@hermes/protocol';
import { TrainerError } from './trainer-error.ts';

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
      throw new TrainerError('CANCELLED', 'The wait was cancelled by its signal.', { cause });
    }
  },
};

/** Only jitter is drawn from it: nothing that has to be the same again. */
const chance: Random = { next: () => Math.random(), fork: () => chance };
