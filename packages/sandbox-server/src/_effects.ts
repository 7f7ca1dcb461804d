import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Effects } from '@hermes/protocol';

/** What of the effects a server uses. */
export type ServerEffects = Pick<Effects, 'clock' | 'newId' | 'logger'>;

/** The machine's own, where nothing else is given. */
export function systemEffects(given: Partial<Effects> = {}): ServerEffects {
  return {
    clock: given.clock ?? {
      now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
      sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
    },
    newId: given.newId ?? ((prefix) => `${prefix}_${randomUUID()}`),
    logger: given.logger ?? { log: () => undefined },
  };
}
