import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';

/** What this package takes from outside. */
export type TrackingEffects = Pick<Effects, 'clock' | 'logger' | 'newId'>;

/** Real clock, random ids, a silent logger; each may be replaced. */
export function withDefaultEffects(given: Partial<Effects> = {}): TrackingEffects {
  return {
    clock: given.clock ?? systemClock,
    newId: given.newId ?? ((prefix) => `${prefix}_${randomBytes(12).toString('hex')}`),
    logger: given.logger ?? { log: () => undefined },
  };
}

const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, signal ? { signal } : {});
    } catch (cause) {
      throw new HermesError('data', 'CANCELLED', 'A wait was cancelled by its signal', { cause });
    }
  },
};
