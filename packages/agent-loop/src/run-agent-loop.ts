import type { AgentResult, ChatResult, ErrorInfo, StopReason } from '@hermes/protocol';
import { callModel } from './call-model.ts';
import { checkOptions } from './check-options.ts';
import { executeToolCalls } from './execute-tool-calls.ts';
import { type Invocation, type InvocationSetup, openInvocation } from './invocation.ts';
import type { AgentLoopOptions } from './options.ts';
import { prepareContext } from './prepare-context.ts';
import { readAnswer } from './read-answer.ts';
import { agentResult, type Ending } from './result.ts';

const DEFAULT_MAX_TURNS = 30;

/**
 * Plays one agent to its end: ask the model, run the tools it calls, ask again. Never rejects for
 * anything a model, a tool or a signal did; rejects with code `CONFIG` for wrong options. Changes
 * none of its arguments.
 */
export async function runAgentLoop(options: AgentLoopOptions): Promise<AgentResult> {
  return runInvocation({ options, parent: null, run: runInvocation });
}

async function runInvocation(setup: InvocationSetup): Promise<AgentResult> {
  checkOptions(setup.options);
  const invocation = openInvocation(setup);
  try {
    begin(invocation);
    const ending = await playTurns(invocation);
    invocation.emit({ type: 'invocation_end', invocationId: invocation.id, ...ending });
    return agentResult(invocation, ending);
  } finally {
    invocation.dispose();
  }
}

function begin({ emit, id, log, options, schemas, setup: { parent } }: Invocation): void {
  emit({
    type: 'invocation_start',
    invocationId: id,
    parentInvocationId: parent?.invocation.id ?? null,
    spawnedByToolCallId: parent?.toolCallId ?? null,
    modelId: options.model.modelId,
    tools: schemas,
  });
  for (const message of options.messages) log.append(message);
}

async function playTurns(invocation: Invocation): Promise<Ending> {
  for (let turn = 1; ; turn += 1) {
    const ending = limitReached(invocation, turn) ?? (await playTurn(invocation, turn));
    if (ending) return ending;
  }
}

function limitReached({ budget, options, stop, tally }: Invocation, turn: number): Ending | null {
  const stopped = stop.reason();
  if (stopped) return ended(stopped);
  const isLast = turn > (options.limits?.maxTurns ?? DEFAULT_MAX_TURNS);
  const exhausted = isLast ? 'max_turns' : budget.exhausted();
  if (exhausted === null) return null;
  // The call that did not fit had its one more chance taken away: that is why the loop ends.
  return tally.overflow ? ended('context_overflow', tally.overflow) : ended(exhausted);
}

async function playTurn(invocation: Invocation, turn: number): Promise<Ending | null> {
  const { emit, id: invocationId, stop, tally } = invocation;
  const context = await prepareContext(invocation);
  const stopped = stop.reason();
  if (stopped) return ended(stopped);
  if (context.kind === 'overflow') return ended('context_overflow', context.error);
  emit({ type: 'turn_start', invocationId, turn, sent: context.sent });
  const { result, error } = await callModel(invocation, turn, context.messages);
  const ending = result
    ? await takeAnswer(invocation, turn, result)
    : afterFailure(invocation, error);
  emit({ type: 'turn_end', invocationId, turn, stepCount: tally.calls.attempted });
  return ending;
}

async function takeAnswer(
  invocation: Invocation,
  turn: number,
  result: ChatResult,
): Promise<Ending | null> {
  const { budget, log, stop, tally } = invocation;
  tally.overflow = null;
  tally.lastUsage = result.usage;
  budget.spend(result.usage, result.costUsd);
  const answer = readAnswer(invocation, result);
  log.append(answer.message);
  if (answer.calls.length === 0) return lastAnswer(invocation, result);
  for (const message of await executeToolCalls(invocation, turn, answer.calls)) log.append(message);
  const stopped = stop.reason();
  return stopped && ended(stopped);
}

/** A text that the output budget cut short is no answer of the model's own. */
function lastAnswer({ budget, stop }: Invocation, { finishReason }: ChatResult): Ending {
  const stopped = stop.reason();
  if (stopped) return ended(stopped);
  const left = budget.outputTokensLeft();
  const wasCut = finishReason === 'length' && left !== null && left <= 0;
  return ended(wasCut ? 'max_tokens' : 'natural');
}

function afterFailure({ stop, tally }: Invocation, error: ErrorInfo): Ending | null {
  const stopped = stop.reason();
  if (stopped) return ended(stopped);
  if (error.code === 'EMPTY_RESPONSE') return ended('empty_response', error);
  if (error.code !== 'CONTEXT_OVERFLOW') return ended('server_error', error);
  if (tally.overflow) return ended('context_overflow', error);
  tally.overflow = error;
  return null;
}

function ended(stopReason: StopReason, error: ErrorInfo | null = null): Ending {
  return { stopReason, error };
}
