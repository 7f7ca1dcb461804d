import type { EmitEvent } from '@hermes/protocol';
import type { Invocation } from './invocation.ts';

/**
 * The `emit` that tools and context policies are given. Model calls that they make for this
 * invocation cost its tokens and its money. It falls silent once `isOpen` says no: what was left
 * behind after a stop must not write into a log that has ended.
 */
export function countInnerCalls(
  invocation: Invocation,
  isOpen: () => boolean,
  onCall: (callId: string) => void = () => {},
): EmitEvent {
  const own = new Set<string>();
  return (body) => {
    if (!isOpen()) return;
    if (body.type === 'model_call_start' && body.invocationId === invocation.id) {
      own.add(body.callId);
      onCall(body.callId);
    }
    if (body.type === 'model_attempt_start' && own.has(body.callId)) invocation.tally.attempts += 1;
    if (body.type === 'model_call_end' && own.delete(body.callId) && body.result) {
      invocation.budget.spend(body.result.usage, body.result.costUsd);
    }
    invocation.emit(body);
  };
}
