import type { ChatResult } from '@hermes/protocol';
import type { AnswerIdentity } from '../dialect.ts';
import { textOf } from '../text-of.ts';
import { chatUsage } from './usage.ts';

/** A chat completion. */
export function writeAnswer(results: readonly ChatResult[], identity: AnswerIdentity): object {
  return {
    id: identity.id,
    object: 'chat.completion',
    created: identity.createdAtSeconds,
    model: identity.modelId,
    choices: results.map(choiceOf),
    usage: chatUsage(results.map(({ usage }) => usage)),
  };
}

function choiceOf({ message, finishReason }: ChatResult, index: number) {
  const { tool_calls, reasoning_content } = message;
  const content = textOf(message);
  const told = {
    role: 'assistant',
    content: content === '' && tool_calls !== undefined ? null : content,
    ...(tool_calls !== undefined && { tool_calls }),
    ...(reasoning_content !== undefined && { reasoning_content }),
  };
  return { index, message: told, finish_reason: finishReason, logprobs: null };
}
