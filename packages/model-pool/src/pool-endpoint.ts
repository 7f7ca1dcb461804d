import type { Clock, Logger } from '@hermes/protocol';
import { createLastingController } from './_lasting-signal.ts';
import { type CallGate, createCallGate } from './call-gate.ts';
import { createHealth, type Health } from './health.ts';
import { observeModel } from './observe-model.ts';
import { createPace } from './pace.ts';
import { createRequestStatistics } from './request-statistics.ts';
import type { PooledModel, PoolMember, Split } from './types.ts';
import { watchEndpoint } from './watch-endpoint.ts';

/** A member of a pool with all that the pool knows of it. */
export interface PoolEndpoint<M> {
  readonly id: string;
  readonly weight: number;
  /** The member as callers get it: watched, and with the pool's limiter. */
  view(split: Split): PoolMember<M>;
  readonly gate: CallGate;
  readonly health: Health;
  /** Fires when the endpoint goes down; a new one from then on. */
  lost(): AbortSignal;
  setPaused(isPaused: boolean): void;
  stats(prefix: string): Record<string, number>;
}

/** What all endpoints of a pool share. `changed`: told when one comes or goes. */
export type EndpointOptions = Readonly<{
  clock: Clock;
  logger: Logger;
  healthEveryMs: number;
  coolDownMs: number;
  evalShare: number;
  closing: AbortSignal;
  changed: () => void;
}>;

export function createPoolEndpoint<M extends PooledModel>(
  member: PoolMember<M>,
  options: EndpointOptions,
): PoolEndpoint<M> {
  const nowMs = () => options.clock.now().monoMs;
  const pace = createPace();
  const gate = createCallGate(member.limiter, pace.limit(), options.evalShare, nowMs);
  const statistics = createRequestStatistics();
  const doors = createDoors(gate);
  let hasBeenHealthy = member.probe === null;
  const health = createHealth(member, {
    ...options,
    everyMs: options.healthEveryMs,
    signal: options.closing,
    changed: (isHealthy) => {
      if (isHealthy && hasBeenHealthy) pace.restart();
      hasBeenHealthy ||= isHealthy;
      gate.setLimit(pace.limit());
      doors.setHealthy(isHealthy);
      options.changed();
    },
  });
  doors.setHealthy(health.isHealthy());
  const watcher = watchEndpoint({ member, pace, gate, health, statistics, nowMs });
  const model = observeModel(member.model, watcher, nowMs, options.closing);
  const views: Readonly<Record<Split, PoolMember<M>>> = {
    train: { ...member, model, limiter: gate.limiter('train') },
    eval: { ...member, model, limiter: gate.limiter('eval') },
  };
  return {
    id: member.id,
    weight: member.weight ?? 1,
    view: (split) => views[split],
    gate,
    health,
    lost: doors.lost,
    setPaused: doors.setPaused,
    stats: (prefix) => ({ ...statistics.read(prefix), ...gauges(prefix, gate, health) }),
  };
}

/** Open only while the endpoint is healthy and the pool is not paused. */
function createDoors(gate: CallGate) {
  let isHealthy = true;
  let isPaused = false;
  let lost = createLastingController();
  const update = () => gate.setOpen(isHealthy && !isPaused);
  return {
    lost: () => lost.signal,
    setHealthy: (next: boolean) => {
      isHealthy = next;
      update();
      if (next) return;
      const before = lost;
      lost = createLastingController();
      before.abort();
    },
    setPaused: (next: boolean) => {
      isPaused = next;
      update();
    },
  };
}

function gauges(prefix: string, gate: CallGate, health: Health): Record<string, number> {
  const { running, queued, longestWaitMs } = gate.stats();
  return {
    [`${prefix}_healthy`]: health.isHealthy() ? 1 : 0,
    [`${prefix}_limit`]: gate.limit(),
    [`${prefix}_running`]: running,
    [`${prefix}_queued`]: queued,
    [`${prefix}_longest_wait_ms`]: longestWaitMs,
  };
}
