import type { GatewayBackend } from '@hermes/gateway';
import { HermesError } from '@hermes/protocol';
import { openLlamaModel } from '../engines/choose-llama-model.ts';
import { openServedModel } from '../engines/choose-served-model.ts';
import { NO_TOKENS } from '../engines/engine-refusal.ts';
import type { TokenModel } from '../engines/open-token-model.ts';
import type { FoundModel } from '../find-model.ts';
import type { ModelRequest } from '../models.ts';
import { chooseOpenAiModel } from '../openai/choose-openai-model.ts';

/** Who answers the agents. One without a tokenizer leaves nothing to train on. */
export async function openBackend(
  { entry, rest }: FoundModel,
  request: ModelRequest,
): Promise<GatewayBackend> {
  return entry.name === 'llama'
    ? tokenBackend(await openLlamaModel(rest, request))
    : openServers(rest, request);
}

/** Servers in tokens. Endpoints of which nobody has said that they are engines may give none: they still answer, which is told. */
export async function openServers(
  name: string | null,
  request: ModelRequest,
): Promise<GatewayBackend> {
  try {
    return tokenBackend(await openServedModel(name, request));
  } catch (error) {
    const isTokenless = HermesError.isInstance(error) && error.code === NO_TOKENS;
    if (!isTokenless || request.servers.some(isSaidToBeEngine)) throw error;
    const backend = await chatBackend(name, request);
    request.note(
      `${backend.modelId} gives no token ids: agents get their answers, and nothing is recorded that can be trained on`,
    );
    return backend;
  }
}

function isSaidToBeEngine({ serverType }: ModelRequest['servers'][number]): boolean {
  return serverType !== 'openai' && serverType !== 'auto';
}

function tokenBackend(model: TokenModel): GatewayBackend {
  const { engines, tokenizer } = model;
  return {
    modelId: engines.engine.modelId,
    tokenizer,
    open: ({ sessionId, toolParser, baseUrl }) =>
      model.openSession(sessionId, { parser: toolParser, baseUrl }),
    servers: engines.servers,
    close: model.close,
  };
}

/** The endpoint reads the calls of its model itself. */
async function chatBackend(name: string | null, request: ModelRequest): Promise<GatewayBackend> {
  const { modelId, open, preflight, close } = await chooseOpenAiModel(name, request);
  await preflight(request.signal);
  return {
    modelId,
    open: ({ sessionId }) => open({ rolloutId: sessionId }),
    ...(close && { close }),
  };
}
