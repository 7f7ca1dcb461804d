import { type AgentLimits, type AgentLoopOptions, onAbort, runAgentLoop } from '@hermes/agent-loop';
import type { AgentResult, EmitEvent, Limiter, Message } from '@hermes/protocol';
import { createResultBudget, type ToolResources } from '@hermes/tools';
import { classifyInfo, erroredAs, RolloutFailure } from './_classify.ts';
import { toolLimitsOf, toolsOf } from './_setup-phase.ts';
import type { TryState } from './_try-state.ts';
import type { RunOptions } from './run-options.ts';

/** A loop that was aborted must come back by itself; after this it is given up. */
const ABORT_GRACE_MS = 5_000;

/**
 * Plays the agent. Returns what may be verified: the end of its own time, turns or budget is an honest end. Only a model of
 * which nothing was heard until then had no chance: that is its server's fault.
 */
export async function playAgent(
  state: TryState<unknown>,
  messages: readonly Message[],
  resources: ToolResources,
): Promise<AgentResult> {
  const model = listenTo(state.emit);
  const options = loopOptions(state, messages, resources);
  const result = await inGrace(state, runAgentLoop({ ...options, emit: model.emit }));
  state.agent = result;
  state.agentTimedOut = result.stopReason === 'deadline';
  state.scope.signal.throwIfAborted();
  const { stopReason, error } = result;
  if (stopReason === 'deadline' && !model.wasHeard()) throw new RolloutFailure(silentModel());
  if (stopReason === 'aborted') throw new RolloutFailure(stoppedForNoReason());
  if (stopReason === 'server_error' || stopReason === 'empty_response')
    throw new RolloutFailure((error && classifyInfo(error)) ?? modelFailed(stopReason));
  return result;
}

/** wasHeard: whether any part of an answer has come from the model. */
function listenTo(emit: EmitEvent): { readonly emit: EmitEvent; wasHeard(): boolean } {
  let wasHeard = false;
  return {
    emit: (event) => {
      wasHeard ||= event.type === 'model_delta';
      wasHeard ||= event.type === 'model_call_end' && event.result !== null;
      emit(event);
    },
    wasHeard: () => wasHeard,
  };
}

function loopOptions(
  state: TryState<unknown>,
  messages: readonly Message[],
  resources: ToolResources,
): Omit<AgentLoopOptions, 'emit'> {
  const { options, effects, limiters } = state.context;
  if (state.model === null) throw new Error('The model was not opened');
  return {
    messages,
    model: state.model,
    tools: toolsOf(state),
    sampling: options.sampling,
    identity: { rolloutId: state.rolloutId, split: state.trial.split },
    limits: agentLimits(state),
    signal: state.scope.signal,
    effects,
    resultBudget: createResultBudget(resources, toolLimitsOf(state)),
    toolLimiter: limiters.toolCalls,
    modelLimiter: timedLimiter(state, limiters.modelCalls),
    ...optionalParts(options),
  };
}

function optionalParts<Data>(options: RunOptions<Data>): Partial<AgentLoopOptions> {
  const { subagents, extraBody, templateArguments, parseFallback } = options;
  return {
    ...(options.context ? { context: options.context() } : {}),
    ...(subagents ? { subagents } : {}),
    ...(extraBody ? { extraBody } : {}),
    ...(templateArguments ? { templateArguments } : {}),
    ...(parseFallback ? { parseFallback } : {}),
  };
}

/** Adds the time that this rollout waits for a model call to its timings. */
function timedLimiter(state: TryState<unknown>, inner: Limiter): Limiter {
  const { clock } = state.context.effects;
  return {
    stats: inner.stats,
    run: (work, signal) => {
      const sinceMs = clock.now().monoMs;
      return inner.run(() => {
        state.timings.rateLimitMs += clock.now().monoMs - sinceMs;
        return work();
      }, signal);
    },
  };
}

/** A solution is as long as it is: only time binds it. */
function agentLimits(state: TryState<unknown>): AgentLimits {
  const limits = state.limits.agent ?? {};
  if (!state.context.options.model.open.playsSolution) return limits;
  const { deadlineMs } = limits;
  return {
    maxTurns: Number.MAX_SAFE_INTEGER,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  };
}

/** Follows the work, and after an abort waits no longer than the grace for it. */
async function inGrace<T>(state: TryState<unknown>, work: Promise<T>): Promise<T> {
  const { signal } = state.scope;
  let forget = (): void => undefined;
  const giveUp = new Promise<never>((_resolve, reject) => {
    forget = onAbort(signal, () => {
      forget = state.context.alarms.setIn(ABORT_GRACE_MS, () => reject(signal.reason));
    });
  });
  try {
    return await Promise.race([work, giveUp]);
  } finally {
    forget();
  }
}

function stoppedForNoReason() {
  return erroredAs(
    'environment',
    'internal',
    'The agent loop was aborted, and nobody asked for it',
  );
}

function silentModel() {
  const message =
    "Nothing came from the model until the agent's time was over: look whether its server hangs or is overloaded, or give the agent more time";
  return erroredAs('model', 'model_timeout', message);
}

function modelFailed(stopReason: string) {
  const message = `The model call failed (${stopReason}) without saying why`;
  return erroredAs('model', 'model_bad_response', message);
}
