import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Effects } from '@hermes/protocol';

/** What of the effects a gateway uses. */
export type GatewayEffects = Pick<Effects, 'clock' | 'newId' | 'logger'>;

/** The machine's own, where nothing else is given. */
export function systemEffects(given: Partial<Effects> = {}): GatewayEffects {
  return {
    clock: given.clock ?? {
      now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
      sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
    },
    newId: given.newId ?? ((prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}`),
    logger: given.logger ?? { log: () => undefined },
  };
}
