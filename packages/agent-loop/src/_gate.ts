import { HermesError, type Limiter } from '@hermes/protocol';
import { onAbort } from './on-abort.ts';

/** Lets `slots` pieces of work run at once, first come, first served. */
export type Gate = Pick<Limiter, 'run'>;

/** A limiter without statistics, for the children of one agent. */
export function createGate(slots: number): Gate {
  const queue: (() => void)[] = [];
  let free = slots;

  function leave(): void {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  }

  function enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(cancelled());
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const forget = signal ? onAbort(signal, giveUp) : () => {};
      const start = () => {
        forget();
        resolve();
      };
      function giveUp(): void {
        queue.splice(queue.indexOf(start), 1);
        forget();
        reject(cancelled());
      }
      queue.push(start);
    });
  }

  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function cancelled(): HermesError {
  return new HermesError('environment', 'CANCELLED', 'The wait for a free place was cancelled.');
}
