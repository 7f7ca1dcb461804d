import type { Clock } from '@hermes/protocol';
import { type FakeClock, fakeClock } from '@hermes/protocol/testing';

/** A manual clock on which the waits between attempts end at once, and are remembered. */
export interface WaitingClock extends FakeClock {
  readonly waits: readonly number[];
}

/** The waits between attempts are those that `signal`, the one of the call, would cancel. */
export function waitingClock(signal: AbortSignal): WaitingClock {
  const clock = fakeClock();
  const waits: number[] = [];
  const sleep: Clock['sleep'] = async (ms, given) => {
    if (given !== signal) return clock.sleep(ms, given);
    waits.push(ms);
  };
  return { ...clock, sleep, waits };
}
