import { HermesError, type Limiter } from '@hermes/protocol';

/** A limiter whose places a test hands out. */
export function manualLimiter(): Limiter & { open(): void; readonly waiting: number } {
  const queue: (() => void)[] = [];
  return {
    get waiting() {
      return queue.length;
    },
    open: () => queue.shift()?.(),
    stats: () => ({ running: 0, queued: queue.length, longestWaitMs: 0 }),
    run: (work, signal) =>
      new Promise<void>((resolve, reject) => {
        const cancel = () => reject(new HermesError('environment', 'CANCELLED', 'gave up waiting'));
        if (signal?.aborted) cancel();
        signal?.addEventListener('abort', cancel, { once: true });
        queue.push(() => {
          signal?.removeEventListener('abort', cancel);
          resolve();
        });
      }).then(work),
  };
}

/** A limiter that lets work in although its signal has fired. */
export function deafLimiter(): ReturnType<typeof manualLimiter> {
  const limiter = manualLimiter();
  return { ...limiter, run: (work) => limiter.run(work) };
}
