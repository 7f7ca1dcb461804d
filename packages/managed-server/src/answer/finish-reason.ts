import type { FinishReason, TokenFinish } from '@hermes/protocol';

/** Calls make a `stop` into `tool_calls`; `length` and `abort` stay what they are. */
export function finishReason(finish: TokenFinish, hasCalls: boolean): FinishReason {
  return finish.type === 'stop' && hasCalls ? 'tool_calls' : finish.type;
}
