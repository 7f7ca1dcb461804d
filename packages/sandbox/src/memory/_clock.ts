import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@hermes/protocol';

/** Longer sleeps overflow the timer and would fire at once. */
const longestSleepMs = 2 ** 31 - 1;

/** The machine's clock. Its sleeps keep no process alive. */
export const systemClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  sleep: async (ms, signal) => {
    for (let left = ms; left > 0; left -= longestSleepMs) {
      await sleep(Math.min(left, longestSleepMs), undefined, {
        ref: false,
        ...(signal === undefined ? {} : { signal }),
      });
    }
  },
};
