import type { Clock } from '@hermes/protocol';
import { cancelled, noneHealthy } from './_pool-errors.ts';
import { createWaitingList } from './_waiting-list.ts';
import type { PoolEndpoint } from './pool-endpoint.ts';

/** Where rollouts wait for an endpoint, first come first served. */
export interface WaitingRoom<M> {
  enter(rolloutId: string, signal: AbortSignal): Promise<PoolEndpoint<M>>;
  /** Something changed: whoever can be served is. */
  serve(): void;
  close(error: Error): void;
  size(): number;
  longestWaitMs(): number;
}

/** `find`: the endpoint for a rollout; undefined = it has to wait. */
export type WaitingRoomOptions<M> = Readonly<{
  ids: readonly string[];
  find: (rolloutId: string) => PoolEndpoint<M> | undefined;
  isPaused: () => boolean;
  maxWaitMs: number;
  clock: Clock;
}>;

export function createWaitingRoom<M>(options: WaitingRoomOptions<M>): WaitingRoom<M> {
  const { clock, find, maxWaitMs } = options;
  const list = createWaitingList<string, PoolEndpoint<M>>(() => clock.now().monoMs, cancelled);
  return {
    enter: async (rolloutId, signal) => {
      if (signal.aborted) throw cancelled(signal);
      const endpoint = list.size() === 0 ? find(rolloutId) : undefined;
      if (endpoint) return endpoint;
      const patience = createPatience(options);
      try {
        return await list.join(rolloutId, AbortSignal.any([signal, patience.signal]));
      } finally {
        patience.end();
      }
    },
    serve: () => {
      for (let next = list.first(); next; next = list.first()) {
        const endpoint = find(next.key);
        if (!endpoint) return;
        list.serve(endpoint);
      }
    },
    close: list.close,
    size: list.size,
    longestWaitMs: list.longestWaitMs,
  };

  /** Ends a wait in which no endpoint got healthy; while the pool is paused it is nobody's fault. */
  function createPatience({ ids, isPaused }: WaitingRoomOptions<M>) {
    const over = new AbortController();
    const done = new AbortController();
    const watch = async (): Promise<void> => {
      do await clock.sleep(maxWaitMs, done.signal);
      while (isPaused());
      over.abort(noneHealthy(ids, maxWaitMs));
    };
    // it rejects when the wait has ended before
    watch().catch(() => undefined);
    return { signal: over.signal, end: () => done.abort() };
  }
}
