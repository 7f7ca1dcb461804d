import type { CallGate } from './call-gate.ts';
import type { Health } from './health.ts';
import type { CallWatcher } from './observe-model.ts';
import type { Pace } from './pace.ts';
import type { RequestStatistics } from './request-statistics.ts';
import type { PoolMember } from './types.ts';

/** Errors that tell of the endpoint and not of the request. */
const OUTAGES: ReadonlySet<string> = new Set(['CONNECTION', 'TIMEOUT', 'SERVER', 'STREAM_CUT']);

/** An endpoint's parts that learn from its calls. */
export type WatchedEndpoint = Readonly<{
  member: PoolMember<unknown>;
  pace: Pace;
  gate: CallGate;
  health: Health;
  statistics: RequestStatistics;
  nowMs: () => number;
}>;

/** What the calls of an endpoint teach its pace, its health and its statistics. */
export function watchEndpoint({
  member,
  pace,
  gate,
  health,
  statistics,
  nowMs,
}: WatchedEndpoint): CallWatcher {
  const slowDown = (startedMs: number): void => {
    pace.tooMany(startedMs, gate.stats().running, nowMs());
    gate.setLimit(pace.limit());
  };
  const isFull = (): boolean =>
    gate.stats().running >= pace.limit() && member.limiter.stats().queued === 0;
  return {
    attempted: (attempt, startedMs) => {
      const isTooMany = attempt.statusCode === 429 || attempt.error?.code === 'RATE_LIMIT';
      if (isTooMany) slowDown(startedMs);
    },
    succeeded: (context, durationMs, attempts) => {
      statistics.add(context.split, durationMs, attempts);
      health.succeeded();
      pace.succeeded(isFull());
      gate.setLimit(pace.limit());
    },
    failed: (code, startedMs) => {
      if (code === 'RATE_LIMIT') slowDown(startedMs);
      if (OUTAGES.has(code)) health.failed(code);
    },
  };
}
