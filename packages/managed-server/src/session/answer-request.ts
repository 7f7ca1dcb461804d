import {
  type ChatEvent,
  type ChatRequest,
  type ChatResult,
  type Effects,
  type Message,
  type ModelCallContext,
  ModelError,
  type TokenEngine,
} from '@hermes/protocol';
import type { AnswerParsers } from '../answer/answer-parser.ts';
import { askEngine, type EngineAnswer } from './ask-engine.ts';
import { chatResult } from './chat-result.ts';
import { checkRequest } from './check-request.ts';
import { commitAnswer } from './commit-answer.ts';
import type { SessionState } from './managed-session.ts';
import {
  type Planning,
  type PromptPlan,
  type PromptQuestion,
  planPrompt,
  promptIds,
  promptLength,
} from './plan-prompt.ts';
import { reminderOf } from './tool-choice.ts';

/** What all sessions of a server share. */
export type SharedParts = Planning &
  Readonly<{
    engine: TokenEngine;
    parsers: AnswerParsers;
    /** How the model's format opens a thought; null = it does not. */
    openTag: string | null;
    contextTokens: number | null;
    effects: Effects;
    /** Fires when the server is closed. */
    ended: AbortSignal;
  }>;

/** One call: so many answers to a request. */
export type SessionCall = Readonly<{
  request: ChatRequest;
  context: ModelCallContext;
  count: number;
}>;

/**
 * Plans the prompt, asks the engine, and records the answers once they are whole and right. Where a
 * call was required and none came, the model is reminded once.
 */
export async function* answerRequest(
  shared: SharedParts,
  state: SessionState,
  call: SessionCall,
): AsyncGenerator<ChatEvent, readonly ChatResult[]> {
  const { request, context } = call;
  checkRequest(request);
  let reminder: Message | null = null;
  for (;;) {
    const { invocationId } = context;
    const plan = planCall(shared, state, { request, invocationId, reminder });
    const answers = yield* askEngine(shared, plan, call);
    // What came before the abort was not heard by anybody.
    if (context.signal.aborted) throw cancelled();
    const missing = reminderOf(
      request,
      answers.map(({ read }) => read.message),
    );
    if (missing === null) return recordAnswers(shared, state, call, plan, answers);
    if (reminder !== null) throw noCall(missing);
    reminder = missing;
  }
}

/** The ids that a call would send. Throws as the call would. */
export function idsToSend(
  shared: SharedParts,
  state: SessionState,
  request: ChatRequest,
  invocationId: string,
): readonly number[] {
  checkRequest(request);
  return promptIds(planCall(shared, state, { request, invocationId, reminder: null }));
}

function planCall(
  shared: SharedParts,
  { firstLive, segments }: SessionState,
  question: Omit<PromptQuestion, 'wasReset'>,
): PromptPlan {
  const forgotten = segments.slice(0, firstLive);
  const wasReset = forgotten.some(({ invocationId }) => invocationId === question.invocationId);
  return planPrompt(shared, segments.slice(firstLive), { ...question, wasReset });
}

function recordAnswers(
  shared: SharedParts,
  state: SessionState,
  { context }: SessionCall,
  plan: PromptPlan,
  answers: readonly EngineAnswer[],
): readonly ChatResult[] {
  return answers.map((answer, choice) => {
    const { message, droppedCall } = answer.read;
    const { content, reasoning_content, tool_calls: calls = [] } = message;
    const recorded = {
      text: typeof content === 'string' ? content : '',
      callIds: calls.map(({ id }) => id),
      droppedCall,
      thought: reasoning_content !== undefined || answer.startsInThought,
    };
    // Judges and summaries are no part of what the policy is trained on.
    const tokens =
      context.purpose === 'policy'
        ? commitAnswer(state.segments, plan, { choice, output: answer.output, message: recorded })
        : null;
    return chatResult(shared, answer, promptLength(plan), tokens);
  });
}

function cancelled(): ModelError {
  return new ModelError('CANCELLED', 'The call was cancelled: nothing of it was recorded.');
}

function noCall(reminder: Message): ModelError {
  return new ModelError(
    'BAD_RESPONSE',
    `The model was asked for a call twice and made none (${String(reminder.content)}): leave the choice to it, or use a model that is trained for tools.`,
  );
}
