import type { JsonObject } from '@hermes/protocol';
import { type CompletionShape, reasoningFields } from './completion-shape.ts';
import type { FakeCompletion } from './fake-answer.ts';
import { refusal } from './http-answers.ts';

/** The body of an answer that is not streamed. */
export function completionBody(answer: FakeCompletion, shape: CompletionShape): string {
  if (answer.fault === 'nonsense') return '<html>This is no JSON';
  if (answer.fault === 'error_body') {
    return JSON.stringify(refusal(500, 'The engine has died.', 'server_error').body);
  }
  return JSON.stringify({
    id: shape.id,
    object: 'chat.completion',
    created: 0,
    model: shape.model,
    choices: answer.fault === 'no_choices' ? [] : [choice(answer, shape)],
    ...(shape.usage && { usage: shape.usage }),
  });
}

function choice(answer: FakeCompletion, shape: CompletionShape): JsonObject {
  const message = answer.fault === 'no_message' ? {} : { message: messageOf(answer, shape) };
  return { index: 0, ...message, finish_reason: shape.finishReason };
}

function messageOf(answer: FakeCompletion, shape: CompletionShape): JsonObject {
  return {
    role: 'assistant',
    content: shape.content,
    ...(answer.reasoning !== undefined && reasoningFields(answer, answer.reasoning)),
    ...callFields(answer, shape),
  };
}

function callFields(answer: FakeCompletion, { calls }: CompletionShape): JsonObject {
  if (calls.length === 0) return {};
  return answer.legacyFunctionCall
    ? { function_call: calls[0]?.function ?? null }
    : { tool_calls: calls };
}
