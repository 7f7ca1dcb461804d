import { setTimeout } from 'node:timers/promises';
import type { Clock } from '@hermes/protocol';
import { stopped } from './_read-errors.ts';

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  sleep: async (ms, signal) => {
    try {
      await setTimeout(ms, undefined, signal && { signal });
    } catch (error) {
      throw signal ? stopped('waiting', signal) : error;
    }
  },
};
