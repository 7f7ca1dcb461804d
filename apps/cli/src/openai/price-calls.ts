import { type ModelPrice, priceOf } from '@hermes/env-core';
import type { ChatModel } from '@hermes/protocol';

/** Puts a price on each call whose server does not tell one itself, so that a budget in USD can count it. */
export function priceCalls(model: ChatModel, price: ModelPrice | null): ChatModel {
  if (price === null) return model;
  const prices = { price: () => price };
  return {
    ...model,
    async *chat(request, context) {
      for await (const event of model.chat(request, context)) {
        if (event.type !== 'result') yield event;
        else {
          const { result } = event;
          const costUsd = result.costUsd ?? priceOf(result.usage, model.modelId, prices);
          yield { type: 'result', result: { ...result, costUsd } };
        }
      }
    },
  };
}
