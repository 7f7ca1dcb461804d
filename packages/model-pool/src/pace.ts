/** How many calls at once an endpoint is trusted with, learnt from how its calls end. */
export interface Pace {
  limit(): number;
  /** `isFull`: the limit was what held calls back. A limit that nobody needs says nothing. */
  succeeded(isFull: boolean): void;
  /** The endpoint said 429 to a call that began at `startedMs`. */
  tooMany(startedMs: number, running: number, nowMs: number): void;
  /** The endpoint is back after an outage. */
  restart(): void;
}

/** Slow start: every success adds one call until the first 429, so a round doubles the limit. */
const FIRST_LIMIT = 8;

/**
 * Halves on a 429, once for all the calls that were under way; below the halved limit it grows by
 * every success, above it by one a round. After an outage it begins with a single call.
 */
export function createPace(): Pace {
  let limit = FIRST_LIMIT;
  let carefulFrom = Number.POSITIVE_INFINITY;
  let successes = 0;
  let loweredAtMs = Number.NEGATIVE_INFINITY;
  return {
    limit: () => limit,
    succeeded: (isFull) => {
      if (!isFull) return;
      successes += 1;
      if (limit >= carefulFrom && successes < limit) return;
      successes = 0;
      limit += 1;
    },
    tooMany: (startedMs, running, nowMs) => {
      if (startedMs < loweredAtMs) return;
      loweredAtMs = nowMs;
      successes = 0;
      limit = half(Math.min(limit, running));
      carefulFrom = limit;
    },
    restart: () => {
      carefulFrom = half(limit);
      successes = 0;
      limit = 1;
    },
  };
}

function half(limit: number): number {
  return Math.max(1, Math.floor(limit / 2));
}
