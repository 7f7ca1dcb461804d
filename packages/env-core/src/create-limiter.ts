import { onAbort } from '@hermes/agent-loop';
import type { Limiter } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';

type Waiter = { start: () => void; readonly sinceMs: number };

/** Bounded concurrency, first come first served. nowMs: a monotonic clock for `longestWaitMs`. */
export function createLimiter(
  limit: number,
  nowMs: () => number = () => performance.now(),
): Limiter {
  return createAdjustableLimiter(limit, nowMs);
}

/** A limiter whose limit may change while it works; a lower one lets running work end. */
export function createAdjustableLimiter(
  firstLimit: number,
  nowMs: () => number,
): Limiter & Readonly<{ limit: () => number; setLimit: (limit: number) => void }> {
  if (!(firstLimit >= 1)) throw badLimit(firstLimit);
  const waiting = new Set<Waiter>();
  let limit = firstLimit;
  let running = 0;
  const take = () => {
    running += 1;
  };
  const startWaiting = () => {
    for (const waiter of waiting) {
      if (running >= limit) return;
      waiter.start();
    }
  };
  const release = () => {
    running -= 1;
    startWaiting();
  };
  return {
    async run(work, signal) {
      if (signal?.aborted) throw cancelled(signal);
      if (running < limit) take();
      else await enqueue(waiting, nowMs(), take, signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
    stats: () => ({ running, queued: waiting.size, longestWaitMs: longestWait(waiting, nowMs()) }),
    limit: () => limit,
    setLimit: (next) => {
      limit = next;
      startWaiting();
    },
  };
}

function enqueue(
  waiting: Set<Waiter>,
  sinceMs: number,
  take: () => void,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const forget = signal ? onAbort(signal, abort) : () => undefined;
    function leave(): void {
      waiting.delete(waiter);
      forget();
    }
    function abort(): void {
      leave();
      reject(cancelled(signal));
    }
    const waiter = {
      sinceMs,
      start: () => {
        leave();
        take();
        resolve();
      },
    };
    waiting.add(waiter);
  });
}

function longestWait(waiting: ReadonlySet<Waiter>, nowMs: number): number {
  const [oldest] = waiting;
  return oldest === undefined ? 0 : nowMs - oldest.sinceMs;
}

function cancelled(signal?: AbortSignal): HermesError {
  return new HermesError('environment', 'CANCELLED', 'Cancelled while waiting for a free slot', {
    cause: signal?.reason,
  });
}

function badLimit(limit: number): HermesError {
  return new HermesError('config', 'CONFIG', `A limit must be a number from 1, not ${limit}`);
}
