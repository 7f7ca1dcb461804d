import { setTimeout } from 'node:timers/promises';
import type { Clock } from '@hermes/protocol';
import { ModelError } from '@hermes/protocol';

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  sleep: async (ms, signal) => {
    try {
      await setTimeout(ms, undefined, signal && { signal });
    } catch (cause) {
      throw new ModelError('CANCELLED', 'A wait was cancelled by its signal', { cause });
    }
  },
};
