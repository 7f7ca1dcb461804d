import { type ChatEvent, type ChatResult, ModelError } from '@hermes/protocol';
import type { Invocation } from './invocation.ts';

type ProgressEvent = Exclude<ChatEvent, { readonly type: 'result' }>;

/** Reads a call to its end: what comes on the way goes to `onProgress`, the result comes back. */
export async function readModelEvents(
  events: AsyncIterable<ChatEvent>,
  onProgress: (event: ProgressEvent) => void,
): Promise<ChatResult> {
  let result: ChatResult | null = null;
  for await (const event of events) {
    if (event.type === 'result') result = event.result;
    else onProgress(event);
  }
  return checkResult(result);
}

/** A model in plain JavaScript may leave out what the types ask for. */
function checkResult(result: ChatResult | null): ChatResult {
  if (!result) throw new ModelError('BAD_RESPONSE', 'The model call ended without a result.');
  for (const part of ['message', 'usage'] as const) {
    if (typeof result[part] === 'object' && result[part] !== null) continue;
    throw new ModelError('BAD_RESPONSE', `The model call ended with a result without ${part}.`);
  }
  return result;
}

/** An event of a model as one of the rollout. */
export function progressBody(
  callId: string,
  event: ProgressEvent,
): Parameters<Invocation['emit']>[0] {
  if (event.type === 'attempt_start') {
    const { attemptId, number } = event;
    return { type: 'model_attempt_start', callId, attemptId, number };
  }
  if (event.type === 'attempt_end') {
    return { type: 'model_attempt_end', callId, attempt: event.attempt };
  }
  return { type: 'model_delta', callId, delta: event };
}
