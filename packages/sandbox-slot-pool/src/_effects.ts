import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Effects, Logger } from '@hermes/protocol';

/** What the pool needs of the world. */
export type PoolEffects = Readonly<{ clock: Clock; logger: Logger; poolId: string }>;

/** The machine's own clock and a logger that drops everything, each unless it is given. */
export function poolEffects(given: Partial<Effects> = {}): PoolEffects {
  return {
    clock: given.clock ?? systemClock,
    logger: given.logger ?? { log: () => undefined },
    poolId: given.newId?.('pool').slice(-8) ?? randomBytes(4).toString('hex'),
  };
}

/** Its timers never keep the process alive by themselves. */
const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  sleep: (ms, signal) =>
    sleep(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
};
