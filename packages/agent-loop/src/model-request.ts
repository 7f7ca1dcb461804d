import type { ChatRequest, Message, ModelCallContext, Sampling } from '@hermes/protocol';
import { smallest } from './budgets.ts';
import type { Invocation } from './invocation.ts';

/** What the model is asked; absent is what there is nothing to say about. */
export function modelRequest(
  { options, schemas }: Invocation,
  messages: readonly Message[],
  sampling: Sampling,
): ChatRequest {
  const { extraBody, templateArguments } = options;
  return {
    messages,
    sampling,
    ...(schemas.length > 0 && { tools: schemas }),
    ...(extraBody && { extraBody }),
    ...(templateArguments && { templateArguments }),
  };
}

/** Who asks: a turn of the policy, or (turn null) a compaction. */
export function modelCallContext(
  { id, options, stop }: Invocation,
  turn: number | null,
  purpose: ModelCallContext['purpose'],
): ModelCallContext {
  return {
    signal: stop.signal,
    rolloutId: options.identity.rolloutId,
    invocationId: id,
    turn,
    purpose,
    split: options.identity.split ?? 'train',
  };
}

/** An answer may not be longer than what the budget has left. */
export function cappedSampling(sampling: Sampling, outputTokensLeft: number | null): Sampling {
  if (outputTokensLeft === null) return sampling;
  const maxTokens = smallest(sampling.maxTokens ?? null, outputTokensLeft);
  return maxTokens === null ? sampling : { ...sampling, maxTokens };
}
