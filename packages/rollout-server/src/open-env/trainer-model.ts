import type { ChatEvent, ChatModel, ChatResult } from '@hermes/protocol';
import type { Action } from './action.ts';
import type { Exchange } from './exchange.ts';

/** A model whose answers are the actions of a trainer. */
export function trainerModel(exchange: Exchange): ChatModel {
  return {
    specificationVersion: 'v1',
    provider: 'openenv',
    modelId: 'trainer',
    capabilities: {
      tokenIds: false,
      images: true,
      toolChoice: true,
      streaming: false,
      contextTokens: null,
    },
    async *chat(request, { signal }): AsyncGenerator<ChatEvent> {
      yield { type: 'result', result: resultOf(await exchange.ask(request, signal)) };
    },
  };
}

/** The trainer keeps count of its tokens itself. */
function resultOf({ message, finishReason }: Action): ChatResult {
  return {
    message,
    finishReason,
    responseId: null,
    modelId: 'trainer',
    usage: {
      inputTokens: null,
      outputTokens: null,
      totalTokens: null,
      cachedTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
    },
    costUsd: null,
    tokens: null,
    notes: [],
  };
}
