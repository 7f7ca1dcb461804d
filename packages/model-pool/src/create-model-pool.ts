import { createLastingController, linkToLasting } from './_lasting-signal.ts';
import { badOption, cancelled, poolClosed } from './_pool-errors.ts';
import { systemClock } from './_system-clock.ts';
import { createPoolEndpoint, type PoolEndpoint } from './pool-endpoint.ts';
import { createRolloutRoutes } from './rollout-routes.ts';
import type { ModelPool, ModelPoolOptions, PoolCall, PooledModel, PoolMember } from './types.ts';
import { createWaitingRoom } from './waiting-room.ts';

/** Puts several endpoints behind one door. Does no I/O before the first `open` or `run`. */
export function createModelPool<M extends PooledModel>(
  members: readonly PoolMember<M>[],
  options: ModelPoolOptions = {},
): ModelPool<M> {
  const settings = withDefaults(options);
  checkMembers(members);
  const { clock } = settings;
  const closing = createLastingController();
  let isPaused = false;
  let weightVersion: string | null = null;
  let watching: Promise<unknown> | null = null;

  const endpoints = members.map((member) =>
    createPoolEndpoint(member, {
      ...settings,
      closing: closing.signal,
      changed: () => room.serve(),
    }),
  );
  // before all are known, the first to answer its probe would get everybody
  const canRoute = () => !isPaused && endpoints.every(({ health }) => health.isKnown());
  const routes = createRolloutRoutes(endpoints, () => clock.now().monoMs);
  const room = createWaitingRoom({
    ids: members.map((member) => member.id),
    find: (rolloutId) => (canRoute() ? routes.pick(rolloutId) : undefined),
    isPaused: () => isPaused,
    maxWaitMs: settings.maxWaitMs,
    clock,
  });

  const enter = (rolloutId: string, signal: AbortSignal): Promise<PoolEndpoint<M>> => {
    if (closing.signal.aborted) return Promise.reject(poolClosed());
    watching ??= Promise.all(endpoints.map((endpoint) => endpoint.health.watch()));
    return room.enter(rolloutId, signal);
  };
  const setPaused = (next: boolean): void => {
    isPaused = next;
    for (const endpoint of endpoints) endpoint.setPaused(next);
    room.serve();
  };
  return {
    members,
    get weightVersion() {
      return weightVersion;
    },
    open: async (rolloutId, split, signal) => (await enter(rolloutId, signal)).view(split),
    run: (call, work) => runCall(call, enter, work),
    release: routes.release,
    pause: () => setPaused(true),
    resume: (version) => {
      weightVersion = version;
      setPaused(false);
    },
    stats: () => ({
      'pool/waiting': room.size(),
      'pool/longest_wait_ms': room.longestWaitMs(),
      'pool/paused': isPaused ? 1 : 0,
      ...serverStats(endpoints),
    }),
    close: async () => {
      closing.abort(poolClosed());
      room.close(poolClosed());
      for (const endpoint of endpoints) endpoint.gate.close(poolClosed());
      await watching;
    },
  };
}

/** In a slot of the rollout's endpoint; when that goes down before the slot is there, of another one. */
async function runCall<M, T>(
  { rolloutId, split, signal }: PoolCall,
  enter: (rolloutId: string, signal: AbortSignal) => Promise<PoolEndpoint<M>>,
  work: (member: PoolMember<M>) => Promise<T>,
): Promise<T> {
  for (;;) {
    const endpoint = await enter(rolloutId, signal);
    const lost = endpoint.lost();
    const member = endpoint.view(split);
    const link = linkToLasting(lost, signal);
    let hasStarted = false;
    const start = (): Promise<T> => {
      hasStarted = true;
      return work(member);
    };
    try {
      return await member.limiter.run(start, link.signal);
    } catch (error) {
      if (hasStarted) throw error;
      if (signal.aborted) throw cancelled(signal);
      if (!lost.aborted) throw error;
    } finally {
      link.unlink();
    }
  }
}

/** Under the names of the position, as `server/server_0_request_time_avg`. */
function serverStats<M>(endpoints: readonly PoolEndpoint<M>[]): Record<string, number> {
  const entries = endpoints.flatMap((endpoint, index) =>
    Object.entries(endpoint.stats(`server/server_${index}`)),
  );
  return Object.fromEntries(entries);
}

function withDefaults(options: ModelPoolOptions) {
  const settings = {
    healthEveryMs: options.healthEveryMs ?? 5_000,
    coolDownMs: options.coolDownMs ?? 30_000,
    maxWaitMs: options.maxWaitMs ?? 600_000,
    evalShare: options.evalShare ?? 0.125,
    clock: options.effects?.clock ?? systemClock,
    logger: options.effects?.logger ?? { log: () => undefined },
  };
  for (const name of ['healthEveryMs', 'coolDownMs', 'maxWaitMs'] as const) {
    if (!(settings[name] > 0)) throw badOption(`${name} must be above 0, not ${settings[name]}`);
  }
  const { evalShare } = settings;
  if (evalShare >= 0 && evalShare <= 1) return settings;
  throw badOption(`evalShare must be from 0 to 1, not ${evalShare}`);
}

function checkMembers(members: readonly PoolMember<unknown>[]): void {
  if (members.length === 0) throw badOption('A model pool needs at least one endpoint');
  const ids = members.map((member) => member.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw badOption(`Two endpoints of the model pool have the id "${twice}"`);
  for (const { id, weight = 1 } of members) {
    if (weight > 0 && Number.isFinite(weight)) continue;
    throw badOption(`The weight of the endpoint "${id}" must be above 0, not ${weight}`);
  }
}
