import {
  type ChatEvent,
  type ChatRequest,
  type ChatResult,
  type ErrorInfo,
  type Message,
  type ModelCallContext,
  ModelError,
  type Sampling,
} from '@hermes/protocol';
import { smallest } from './budgets.ts';
import { errorInfoOf } from './error-info.ts';
import type { Invocation } from './invocation.ts';

/** How a model call ended; exactly one of the two is set. */
export type ModelCallOutcome = Readonly<
  { result: ChatResult; error: null } | { result: null; error: ErrorInfo }
>;

/** One call of the policy: waits for the limiter, tells all events, never throws. */
export async function callModel(
  invocation: Invocation,
  turn: number,
  messages: readonly Message[],
): Promise<ModelCallOutcome> {
  const { options, stop, time } = invocation;
  try {
    return await time.through(options.modelLimiter, stop.signal, () => {
      // The limiter may let a call in at the very moment of the stop.
      stop.signal.throwIfAborted();
      return makeCall(invocation, turn, messages);
    });
  } catch (error) {
    // Nothing else rejects: the loop was stopped before its turn came.
    return { result: null, error: errorInfoOf(error, 'model', 'CANCELLED') };
  }
}

async function makeCall(
  invocation: Invocation,
  turn: number,
  messages: readonly Message[],
): Promise<ModelCallOutcome> {
  const { emit, options, tally } = invocation;
  const { clock, newId } = options.effects;
  const callId = newId('model_call');
  const sampling = cappedSampling(options.sampling, invocation.budget.outputTokensLeft());
  tally.turns += 1;
  emit({
    type: 'model_call_start',
    callId,
    invocationId: invocation.id,
    turn,
    purpose: 'policy',
    modelId: options.model.modelId,
    sampling,
  });
  const startedMs = clock.now().monoMs;
  const request = requestOf(invocation, messages, sampling);
  const outcome = await askModel(invocation, request, contextOf(invocation, turn), callId);
  tally.modelMs += clock.now().monoMs - startedMs;
  emit({ type: 'model_call_end', callId, ...withoutRaw(outcome) });
  return outcome;
}

async function askModel(
  invocation: Invocation,
  request: ChatRequest,
  context: ModelCallContext,
  callId: string,
): Promise<ModelCallOutcome> {
  const { emit, options, stop, tally } = invocation;
  const attemptsBefore = tally.attempts;
  let isOpen = true;
  try {
    const events = options.model.chat(request, context);
    const result = await stop.bound(
      readEvents(events, (event) => {
        if (!isOpen) return;
        if (event.type === 'attempt_start') tally.attempts += 1;
        emit(eventBody(callId, event));
      }),
    );
    return { result, error: null };
  } catch (error) {
    return { result: null, error: errorInfoOf(error, 'model', 'SERVER') };
  } finally {
    isOpen = false;
    if (tally.attempts === attemptsBefore) tally.attempts += 1;
  }
}

type ProgressEvent = Exclude<ChatEvent, { readonly type: 'result' }>;

async function readEvents(
  events: AsyncIterable<ChatEvent>,
  onProgress: (event: ProgressEvent) => void,
): Promise<ChatResult> {
  let result: ChatResult | null = null;
  for await (const event of events) {
    if (event.type === 'result') result = event.result;
    else onProgress(event);
  }
  if (result) return result;
  throw new ModelError('BAD_RESPONSE', 'The model call ended without a result.');
}

function eventBody(callId: string, event: ProgressEvent): Parameters<Invocation['emit']>[0] {
  if (event.type === 'attempt_start') {
    const { attemptId, number } = event;
    return { type: 'model_attempt_start', callId, attemptId, number };
  }
  if (event.type === 'attempt_end') {
    return { type: 'model_attempt_end', callId, attempt: event.attempt };
  }
  return { type: 'model_delta', callId, delta: event };
}

function requestOf(
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

function contextOf({ id, options, stop }: Invocation, turn: number): ModelCallContext {
  return {
    signal: stop.signal,
    rolloutId: options.identity.rolloutId,
    invocationId: id,
    turn,
    purpose: 'policy',
    split: options.identity.split ?? 'train',
  };
}

/** An answer may not be longer than what the budget has left. */
function cappedSampling(sampling: Sampling, outputTokensLeft: number | null): Sampling {
  if (outputTokensLeft === null) return sampling;
  const maxTokens = smallest(sampling.maxTokens ?? null, outputTokensLeft);
  return maxTokens === null ? sampling : { ...sampling, maxTokens };
}

function withoutRaw(outcome: ModelCallOutcome): {
  result: Omit<ChatResult, 'raw'> | null;
  error: ErrorInfo | null;
} {
  if (!outcome.result) return outcome;
  const { raw: _raw, ...result } = outcome.result;
  return { result, error: null };
}
