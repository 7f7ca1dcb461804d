import type { Clock } from '@hermes/protocol';
import type { EnvironmentEntry } from '../queue/queue-state.ts';

/** Who is still there. */
export interface Connections {
  /** This environment has just called. */
  saw(environmentId: number): void;
  isConnected(entry: EnvironmentEntry, environmentId: number): boolean;
}

/** idleMs: silence after which an environment counts as gone; null = never. After a start all have that long to call again. */
export function createConnections(clock: Clock, idleMs: number | null): Connections {
  const startMs = clock.now().monoMs;
  const lastSeenMs = new Map<number, number>();
  return {
    saw(environmentId) {
      lastSeenMs.set(environmentId, clock.now().monoMs);
    },
    isConnected(entry, environmentId) {
      if (!entry.isConnected || idleMs === null) return entry.isConnected;
      const seenMs = lastSeenMs.get(environmentId) ?? startMs;
      return clock.now().monoMs - seenMs <= idleMs;
    },
  };
}
