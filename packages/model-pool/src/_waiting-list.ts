/** Waiters in order of arrival. `key` is what each waits with, `Value` what it is given. */
export interface WaitingList<Key, Value> {
  /** Resolves when served; rejects with what `cancelled` makes when the signal fires first. */
  join(key: Key, signal: AbortSignal | undefined): Promise<Value>;
  /** Who has waited longest; undefined = nobody waits. */
  first(): Readonly<{ key: Key }> | undefined;
  /** Gives `value` to the first. */
  serve(value: Value): void;
  /** Rejects whoever waits, and whoever comes later. */
  close(error: Error): void;
  size(): number;
  /** 0 = nobody waits. */
  longestWaitMs(): number;
}

type Waiter<Key, Value> = Readonly<{
  key: Key;
  sinceMs: number;
  resolve: (value: Value) => void;
  reject: (error: Error) => void;
}>;

export function createWaitingList<Key, Value>(
  nowMs: () => number,
  cancelled: (signal: AbortSignal) => Error,
): WaitingList<Key, Value> {
  const waiters = new Set<Waiter<Key, Value>>();
  let closedWith: Error | null = null;
  const first = (): Waiter<Key, Value> | undefined => waiters.values().next().value;
  return {
    join: (key, signal) =>
      new Promise<Value>((resolve, reject) => {
        const leave = (): void => {
          waiters.delete(waiter);
          own?.removeEventListener('abort', abort);
        };
        const waiter = {
          key,
          sinceMs: nowMs(),
          resolve: (value: Value) => {
            leave();
            resolve(value);
          },
          reject: (error: Error) => {
            leave();
            reject(error);
          },
        };
        // a signal of one's own: many listeners on a shared one look like a leak to Node
        const own = signal && AbortSignal.any([signal]);
        const abort = (): void => {
          if (own) waiter.reject(cancelled(own));
        };
        if (closedWith) return reject(closedWith);
        if (own?.aborted) return reject(cancelled(own));
        own?.addEventListener('abort', abort);
        waiters.add(waiter);
      }),
    first,
    serve: (value) => first()?.resolve(value),
    close: (error) => {
      closedWith = error;
      for (const waiter of [...waiters]) waiter.reject(error);
    },
    size: () => waiters.size,
    longestWaitMs: () => {
      const oldest = first();
      return oldest ? nowMs() - oldest.sinceMs : 0;
    },
  };
}
