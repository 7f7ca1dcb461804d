import type { OpenModel } from '@hermes/env-core';
import type { ChatEvent, ChatModel } from '@hermes/protocol';

const unknownUsage = {
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};

/** A model that answers each item with one text. */
export function answering(textOf: (itemId: string) => string): OpenModel {
  return ({ identity }): ChatModel => ({
    specificationVersion: 'v1',
    provider: 'test',
    modelId: 'test',
    capabilities: {
      tokenIds: false,
      images: false,
      toolChoice: false,
      streaming: false,
      contextTokens: null,
    },
    async *chat(): AsyncGenerator<ChatEvent> {
      yield {
        type: 'result',
        result: {
          message: { role: 'assistant', content: textOf(identity.itemId) },
          finishReason: 'stop',
          responseId: null,
          modelId: null,
          usage: unknownUsage,
          costUsd: null,
          tokens: null,
          notes: [],
        },
      };
    },
  });
}
