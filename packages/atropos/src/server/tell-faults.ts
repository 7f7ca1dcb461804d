import type { Clock, Logger } from '@hermes/protocol';

const EVERY_MS = 60_000;

/** Tells the logger of requests that failed; of the same failure once a minute, because a full disk fails them all. */
export function tellFaults(clock: Clock, logger: Logger): (error: unknown) => void {
  let last = '';
  let toldMs = 0;
  return (error) => {
    const message = `A request failed: ${String(error)}`;
    const { monoMs } = clock.now();
    if (message === last && monoMs - toldMs < EVERY_MS) return;
    last = message;
    toldMs = monoMs;
    logger.log('error', message);
  };
}
