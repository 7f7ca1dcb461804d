import type { FinishReason } from '@hermes/protocol';

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content_filter',
  abort: 'abort',
};

/** Finish reasons with which servers report that they broke. */
const FAILURES: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource']);

/** The reason in our words. Calls that are there make a `stop` into `tool_calls`: some servers do not tell the two apart. */
export function finishReason(given: string | null, hasCalls: boolean): FinishReason {
  const reason = given !== null && Object.hasOwn(REASONS, given) ? REASONS[given] : undefined;
  const known = reason ?? 'unknown';
  return hasCalls && (known === 'stop' || known === 'unknown') ? 'tool_calls' : known;
}

/** True: the server says that it could not finish the answer. */
export function isFailure(reason: string | null): boolean {
  return reason !== null && FAILURES.has(reason);
}
