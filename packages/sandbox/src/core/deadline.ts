import type { Clock } from '@hermes/protocol';

/** What came first: the work's value, or that its time was over (`late`) . */
export type Timed<T> = Readonly<{ late: false; value: T } | { late: true }>;

/** Waits for `work`, but no longer than `ms`. Rejects with work's own error; work itself is not stopped. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<Timed<T>> {
  const timer = new AbortController();
  const value = work.then((result) => ({ late: false, value: result }) as const);
  const late = clock.sleep(ms, timer.signal).then(() => ({ late: true }) as const);
  late.catch(() => undefined);
  try {
    return await Promise.race([value, late]);
  } finally {
    timer.abort();
  }
}

/** Calls `tick` every `ms` until the signal fires. */
export async function every(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  tick: () => void,
): Promise<void> {
  while (!signal.aborted) {
    const slept = await clock.sleep(ms, signal).then(
      () => true,
      () => false,
    );
    if (!slept || signal.aborted) return;
    tick();
  }
}

/** Settles as `work` does, or rejects with the signal's reason as soon as that fires. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(signal.reason);
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
