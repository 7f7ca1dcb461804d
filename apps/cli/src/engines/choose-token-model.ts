import type { Tokenizer } from '@hermes/protocol';
import type { ChosenModel, ModelRequest } from '../models.ts';
import { priceCalls } from '../openai/price-calls.ts';
import { findTokenizer } from './find-tokenizer.ts';
import { openLlama } from './open-llama.ts';
import { openServers } from './open-servers.ts';
import { openTokenModel, type TokenModel } from './open-token-model.ts';
import type { OpenedEngines } from './opened-engines.ts';

/** Servers that give token ids. NAME wins over `openai.model_name`; without either the first model that they list. */
export async function openServedModel(
  name: string | null,
  request: ModelRequest,
): Promise<TokenModel> {
  const engines = await openServers(name, request);
  const tokenizer = await orClose(engines, () => findTokenizer(engines.engine.modelId, request));
  return openTokenModel(engines, tokenizer, request);
}

/** `llama:FILE.gguf`: a model in this process. */
export async function openLlamaModel(
  file: string | null,
  request: ModelRequest,
): Promise<TokenModel> {
  const { engines, tokenizer } = await openLlama(file, request);
  return openTokenModel(engines, tokenizer, request);
}

/** Servers as the model of a run. */
export async function chooseServedModel(
  name: string | null,
  request: ModelRequest,
): Promise<ChosenModel> {
  return chosen(await openServedModel(name, request), request);
}

/** A model in this process as the model of a run. */
export async function chooseLlamaModel(
  file: string | null,
  request: ModelRequest,
): Promise<ChosenModel> {
  return chosen(await openLlamaModel(file, request), request);
}

function chosen(model: TokenModel, { servers }: ModelRequest): ChosenModel {
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

async function orClose(engines: OpenedEngines, find: () => Promise<Tokenizer>): Promise<Tokenizer> {
  try {
    return await find();
  } catch (error) {
    await engines.close();
    throw error;
  }
}
