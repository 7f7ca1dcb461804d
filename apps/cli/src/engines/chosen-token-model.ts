import type { ChosenModel, ModelRequest } from '../models.ts';
import { priceCalls } from '../openai/price-calls.ts';
import type { TokenModel } from './open-token-model.ts';

/** A model in token space as a run uses it; the run closes it. */
export function chosenTokenModel(model: TokenModel, { servers }: ModelRequest): ChosenModel {
  const { engine, calls, stats } = model.engines;
  const price = servers[0]?.price ?? null;
  return {
    provider: engine.id,
    modelId: engine.modelId,
    isTokenModel: true,
    open: async ({ rolloutId }) => priceCalls(await model.openSession(rolloutId), price),
    modelCalls: calls,
    prices: { price: () => price },
    stats,
    close: model.close,
  };
}
