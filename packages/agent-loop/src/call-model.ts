import type {
  ChatRequest,
  ChatResult,
  ErrorInfo,
  Message,
  ModelCallContext,
} from '@hermes/protocol';
import { errorInfoOf } from './error-info.ts';
import type { Invocation } from './invocation.ts';
import { cappedSampling, modelCallContext, modelRequest } from './model-request.ts';
import { progressBody, readModelEvents } from './read-model-events.ts';
import { unknownUsage } from './usage.ts';

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
  const request = modelRequest(invocation, messages, sampling);
  const outcome = await askModel(
    invocation,
    request,
    modelCallContext(invocation, turn, 'policy'),
    callId,
  );
  tally.modelMs += clock.now().monoMs - startedMs;
  if (outcome.error && mayHaveGenerated(outcome.error)) {
    invocation.budget.spend(unknownUsage, null);
  }
  emit({ type: 'model_call_end', callId, ...withoutRaw(outcome) });
  return outcome;
}

/** Refused before a token was made. Whatever failed otherwise may have cost something, and nobody tells how much. */
const REFUSALS = [
  'AUTH',
  'RATE_LIMIT',
  'BAD_REQUEST',
  'NOT_FOUND',
  'CONTEXT_OVERFLOW',
  'CONNECTION',
  'CONFIG',
];

function mayHaveGenerated({ code }: ErrorInfo): boolean {
  return !REFUSALS.includes(code);
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
      readModelEvents(events, (event) => {
        if (!isOpen) return;
        if (event.type === 'attempt_start') tally.attempts += 1;
        emit(progressBody(callId, event));
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

function withoutRaw(outcome: ModelCallOutcome): {
  result: Omit<ChatResult, 'raw'> | null;
  error: ErrorInfo | null;
} {
  if (!outcome.result) return outcome;
  const { raw: _raw, ...result } = outcome.result;
  return { result, error: null };
}
