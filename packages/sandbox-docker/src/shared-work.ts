import type { ProvisionEvent } from '@hermes/sandbox';

type Tell = (event: ProvisionEvent) => void;

/** Who waits for a piece of work. */
export type Waiter = Readonly<{ signal: AbortSignal | undefined; onProgress: Tell | undefined }>;

type Flight = {
  readonly result: Promise<string>;
  readonly abort: AbortController;
  readonly waiters: Set<Waiter>;
};

/** Work under a name is done once at a time, for all who ask meanwhile; each may leave, and when the last one has left it is stopped. */
export class SharedWork {
  readonly #flights = new Map<string, Flight>();

  async do(
    name: string,
    waiter: Waiter,
    work: (tell: Tell, signal: AbortSignal) => Promise<string>,
  ): Promise<string> {
    const flight = this.#flights.get(name) ?? this.#begin(name, work);
    flight.waiters.add(waiter);
    try {
      return await untilAborted(flight.result, waiter.signal);
    } finally {
      flight.waiters.delete(waiter);
      if (flight.waiters.size === 0) this.#end(name, flight);
    }
  }

  #begin(name: string, work: (tell: Tell, signal: AbortSignal) => Promise<string>): Flight {
    const abort = new AbortController();
    const waiters = new Set<Waiter>();
    const tell: Tell = (event) => {
      for (const { onProgress } of waiters) onProgress?.(event);
    };
    const flight = { abort, waiters, result: work(tell, abort.signal) };
    // Its failure belongs to those who wait; when all have left, to nobody.
    flight.result.catch(() => undefined);
    this.#flights.set(name, flight);
    return flight;
  }

  /** Later askers begin anew: what was found may be gone by then. */
  #end(name: string, flight: Flight): void {
    flight.abort.abort();
    if (this.#flights.get(name) === flight) this.#flights.delete(name);
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
