import type { Clock, EmitEvent, Limiter } from '@hermes/protocol';
import { createAdjustableLimiter } from './create-limiter.ts';

/** Successes that give one slot back after a slow-down. */
const CALLS_PER_STEP = 10;

/**
 * The limit of model calls. A 429 halves it, at most once in the time that calls already under way
 * need to come back; successful calls give it back one by one.
 */
export function createModelLimiter(
  limit: number,
  clock: Clock,
): Readonly<{ limiter: Limiter; watch: EmitEvent }> {
  const nowMs = () => clock.now().monoMs;
  const limiter = createAdjustableLimiter(limit, nowMs);
  let loweredAtMs = Number.NEGATIVE_INFINITY;
  let successes = 0;
  const lower = (startedMs: number) => {
    if (startedMs < loweredAtMs) return; // sent before the last slow-down: it says nothing about the new limit
    loweredAtMs = nowMs();
    limiter.setLimit(Math.max(1, Math.floor(limiter.limit() / 2)));
  };
  const raise = () => {
    successes += 1;
    if (successes % CALLS_PER_STEP === 0) limiter.setLimit(Math.min(limit, limiter.limit() + 1));
  };
  return {
    limiter,
    watch: (event) => {
      if (event.type !== 'model_attempt_end') return;
      if (event.attempt.statusCode === 429) lower(event.attempt.startedAt.monoMs);
      else if (event.attempt.error === null) raise();
    },
  };
}
