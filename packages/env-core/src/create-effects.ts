import { randomFillSync } from 'node:crypto';
import { onAbort } from '@hermes/agent-loop';
import type { Clock, Effects, IdMaker } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { seededRandom } from './_seeded-random.ts';

/** Real clock, ids from the crypto source, random numbers from the seed (default 0), a silent logger; each may be replaced. */
export function createEffects(overrides: Partial<Effects> = {}, seed = 0): Effects {
  return {
    clock: overrides.clock ?? systemClock,
    newId: overrides.newId ?? createIdMaker(),
    random: overrides.random ?? seededRandom(String(seed)),
    logger: overrides.logger ?? { log: () => undefined },
  };
}

const ID_BYTES = 12;
const IDS_PER_DRAW = 256;

/** Asking the system for random bytes costs more than everything else about an id, so it is asked for many at once. */
function createIdMaker(): IdMaker {
  const pool = Buffer.alloc(ID_BYTES * IDS_PER_DRAW);
  let next = pool.length;
  return (prefix) => {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    next += ID_BYTES;
    return `${prefix}_${pool.toString('hex', next - ID_BYTES, next)}`;
  };
}

const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled(signal));
      const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
      const forget = signal ? onAbort(signal, abort) : undefined;
      function abort(): void {
        clearTimeout(timer);
        reject(cancelled(signal));
      }
      function done(): void {
        forget?.();
        resolve();
      }
    }),
};

/** setTimeout fires at once beyond this. */
const MAX_TIMER_MS = 2_147_483_647;

/** Without a stack: every deadline that is not reached ends as one of these, and the stack would cost more than the wait. */
function cancelled(signal?: AbortSignal): HermesError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const cause = signal?.reason;
    return new HermesError('environment', 'CANCELLED', 'A wait was cancelled', { cause });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
