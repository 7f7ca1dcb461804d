import type {
  ChatEvent,
  ChatModel,
  ChatRequest,
  ChatResult,
  ModelAttempt,
  ModelCallContext,
} from '@hermes/protocol';
import { ModelError } from '@hermes/protocol';
import { expect } from 'vitest';

/** A request that says nothing in particular. */
export const QUESTION: ChatRequest = {
  messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
  sampling: {},
};

/** A first turn, cancelled by the signal. */
export function contextOf(signal: AbortSignal = new AbortController().signal): ModelCallContext {
  const ids = { rolloutId: 'rollout-1', invocationId: 'root' };
  return { ...ids, signal, turn: 1, purpose: 'policy', split: 'eval' };
}

/** Everything that a call came to. */
export type Played = Readonly<{
  events: readonly ChatEvent[];
  attempts: readonly ModelAttempt[];
  result: ChatResult | null;
  error: ModelError | null;
}>;

/** Reads a call to its end, whatever the end is. */
export async function play(
  model: ChatModel,
  request: ChatRequest = QUESTION,
  context: ModelCallContext = contextOf(),
): Promise<Played> {
  const events: ChatEvent[] = [];
  let error: ModelError | null = null;
  try {
    for await (const event of model.chat(request, context)) events.push(event);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ModelError);
    error = thrown as ModelError;
  }
  const last = events.at(-1);
  return {
    events,
    error,
    result: last?.type === 'result' ? last.result : null,
    attempts: events.flatMap((event) => (event.type === 'attempt_end' ? [event.attempt] : [])),
  };
}

/** The result of a call that has to succeed. */
export async function resultOf(model: ChatModel, request?: ChatRequest): Promise<ChatResult> {
  const { error, result } = await play(model, request);
  expect(error).toBeNull();
  if (result === null) throw new Error('The call ended without a result and without an error.');
  return result;
}
