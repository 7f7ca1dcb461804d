import type { Tokenizer } from '@hermes/protocol';
import type { ChosenModel, ModelRequest } from '../models.ts';
import { chosenTokenModel } from './chosen-token-model.ts';
import { findTokenizer } from './find-tokenizer.ts';
import { openServers } from './open-servers.ts';
import { openTokenModel, type TokenModel } from './open-token-model.ts';
import type { OpenedEngines } from './opened-engines.ts';

/** Servers that give token ids. NAME wins over `openai.model_name`; without either the first model that they list. */
export async function chooseServedModel(
  name: string | null,
  request: ModelRequest,
): Promise<ChosenModel> {
  return chosenTokenModel(await openServedModel(name, request), request);
}

/** The same for whoever has no run. */
export async function openServedModel(
  name: string | null,
  request: ModelRequest,
): Promise<TokenModel> {
  const engines = await openServers(name, request);
  return openTokenModel(engines, await tokenizerFor(engines, request), request);
}

/** Where there is none, the engines are closed. */
async function tokenizerFor(engines: OpenedEngines, request: ModelRequest): Promise<Tokenizer> {
  try {
    return await findTokenizer(engines.engine.modelId, request);
  } catch (error) {
    await engines.close();
    throw error;
  }
}
