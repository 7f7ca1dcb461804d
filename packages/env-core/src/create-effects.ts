import { randomBytes } from 'node:crypto';
import type { Clock, Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { seededRandom } from './_seeded-random.ts';

/** Real clock, ids from the crypto source, random numbers from the seed (default 0), a silent logger; each may be replaced. */
export function createEffects(overrides: Partial<Effects> = {}, seed = 0): Effects {
  return {
    clock: overrides.clock ?? systemClock,
    newId: overrides.newId ?? ((prefix) => `${prefix}_${randomBytes(12).toString('hex')}`),
    random: overrides.random ?? seededRandom(String(seed)),
    logger: overrides.logger ?? { log: () => undefined },
  };
}

const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled(signal));
      const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
      const abort = () => {
        clearTimeout(timer);
        reject(cancelled(signal));
      };
      function done(): void {
        signal?.removeEventListener('abort', abort);
        resolve();
      }
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

/** setTimeout fires at once beyond this. */
const MAX_TIMER_MS = 2_147_483_647;

function cancelled(signal?: AbortSignal): HermesError {
  return new HermesError('environment', 'CANCELLED', 'A wait was cancelled', {
    cause: signal?.reason,
  });
}
