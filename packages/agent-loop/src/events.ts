import type { Effects, EmitEvent, RolloutEvent } from '@hermes/protocol';
import { messageOf } from './error-info.ts';

/**
 * Makes the one `EmitEvent` of a rollout: stamps `seq` and both clocks, then delivers. A consumer
 * that throws, or whose promise rejects, is counted and logged; the rollout goes on.
 */
export function createEmitter(
  rolloutId: string,
  effects: Effects,
  deliver: (event: RolloutEvent) => void,
): EmitEvent {
  let seq = 0;
  let failures = 0;

  function report(error: unknown): void {
    failures += 1;
    if (!isPowerOfTwo(failures)) return;
    const message = 'An event consumer failed; the rollout goes on without it.';
    effects.logger.log('error', message, { rolloutId, failures, error: messageOf(error) });
  }

  return (body) => {
    const event: RolloutEvent = { v: 1, seq, rolloutId, at: effects.clock.now(), ...body };
    seq += 1;
    try {
      const delivered: unknown = deliver(event);
      if (delivered instanceof Promise) delivered.catch(report);
    } catch (error) {
      report(error);
    }
  };
}

/** So that a consumer that always fails does not flood the log. */
function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}
