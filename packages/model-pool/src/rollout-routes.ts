import type { PoolEndpoint } from './pool-endpoint.ts';

/** Which endpoint a rollout goes to. */
export interface RolloutRoutes<M> {
  /** The one it had while that is healthy, else the least loaded; undefined = none is healthy. */
  pick(rolloutId: string): PoolEndpoint<M> | undefined;
  release(rolloutId: string): void;
}

type Route<M> = Readonly<{ endpoint: PoolEndpoint<M>; usedMs: number }>;

const FORGET_AFTER_MS = 3_600_000;

export function createRolloutRoutes<M>(
  endpoints: readonly PoolEndpoint<M>[],
  nowMs: () => number,
): RolloutRoutes<M> {
  // in order of last use: what is written again moves to the end
  const routes = new Map<string, Route<M>>();
  const rollouts = new Map(endpoints.map((endpoint) => [endpoint, 0]));

  const release = (rolloutId: string): void => {
    const route = routes.get(rolloutId);
    if (!route) return;
    routes.delete(rolloutId);
    rollouts.set(route.endpoint, (rollouts.get(route.endpoint) ?? 1) - 1);
  };
  const assign = (rolloutId: string, endpoint: PoolEndpoint<M>): void => {
    routes.set(rolloutId, { endpoint, usedMs: nowMs() });
    rollouts.set(endpoint, (rollouts.get(endpoint) ?? 0) + 1);
  };
  const forgetUnused = (): void => {
    for (const [rolloutId, route] of routes) {
      if (nowMs() - route.usedMs < FORGET_AFTER_MS) return;
      release(rolloutId);
    }
  };
  /** A rollout counts as one, and so does a call that cannot start: an endpoint that was slowed down gets less. */
  const load = (endpoint: PoolEndpoint<M>): number =>
    ((rollouts.get(endpoint) ?? 0) + endpoint.gate.stats().queued + 1) / endpoint.weight;

  return {
    pick: (rolloutId) => {
      forgetUnused();
      const had = routes.get(rolloutId)?.endpoint;
      const endpoint = had?.health.isHealthy() ? had : leastLoaded(endpoints, load);
      release(rolloutId);
      if (endpoint) assign(rolloutId, endpoint);
      return endpoint;
    },
    release,
  };
}

/** Of equally loaded ones the first. */
function leastLoaded<M>(
  endpoints: readonly PoolEndpoint<M>[],
  load: (endpoint: PoolEndpoint<M>) => number,
): PoolEndpoint<M> | undefined {
  let least: PoolEndpoint<M> | undefined;
  for (const endpoint of endpoints) {
    if (!endpoint.health.isHealthy()) continue;
    if (!least || load(endpoint) < load(least)) least = endpoint;
  }
  return least;
}
