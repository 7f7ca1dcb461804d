import type { CallTokens, ChatResult, Usage } from '@hermes/protocol';
import { finishReason } from '../answer/finish-reason.ts';
import type { SharedParts } from './answer-request.ts';
import type { EngineAnswer } from './ask-engine.ts';

/** An answer as a `ChatModel` gives it. `tokens` null: it was not recorded. */
export function chatResult(
  { effects, engine }: SharedParts,
  { read, output, cachedTokens }: EngineAnswer,
  promptTokens: number,
  tokens: CallTokens | null,
): ChatResult {
  return {
    message: read.message,
    finishReason: finishReason(output.finish, read.message.tool_calls !== undefined),
    responseId: effects.newId('response'),
    modelId: engine.modelId,
    usage: usageOf(promptTokens, output.ids.length, cachedTokens),
    costUsd: null,
    tokens,
    notes: read.notes,
  };
}

function usageOf(inputTokens: number, outputTokens: number, cachedTokens: number | null): Usage {
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cachedTokens,
    cacheWriteTokens: null,
    reasoningTokens: null,
  };
}
