import { createOpenAiModel } from '@hermes/model-openai';
import { HermesError, type ModelError } from '@hermes/protocol';
import type { ChosenModel, ModelRequest } from '../models.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { modelSettings } from './model-settings.ts';
import { priceCalls } from './price-calls.ts';
import { unknownModel, wrongKey } from './refusals.ts';
import { watchRefusals } from './watch-refusals.ts';

/** `openai:NAME`. NAME wins over `openai.model_name`. */
export async function chooseOpenAiModel(
  name: string | null,
  request: ModelRequest,
): Promise<ChosenModel> {
  const { servers, environmentVariables, effects } = request;
  const model = name || modelNameOf(request);
  const [endpoint, second] = servers.map((server) =>
    endpointOf(server, model, environmentVariables),
  );
  if (endpoint === undefined || second !== undefined) throw oneServer(servers.length);
  let served: readonly string[] = [];
  const refusals = watchRefusals();
  const client = priceCalls(
    createOpenAiModel(modelSettings(endpoint), effects),
    endpoint.settings.price,
  );
  const watched = refusals.watch(client, (error) => refusalOf(error, endpoint, served));
  return {
    provider: 'openai',
    modelId: model,
    open: () => watched,
    refused: refusals.refused,
    prices: { price: () => endpoint.settings.price },
    modelCalls: endpoint.settings.maxRequests,
    async preflight(signal) {
      if (endpoint.settings.checksHealth) served = await checkEndpoint(endpoint, signal);
      if (served.length > 0 && !served.includes(model))
        request.note(
          `the endpoint ${endpoint.baseUrl} does not list ${model}; it is asked all the same`,
        );
    },
  };
}

function oneServer(count: number): HermesError {
  return new HermesError(
    'config',
    'CONFIG',
    `one server is needed, and ${count} are configured: give one --base-url, or keep one entry of section openai`,
  );
}

function modelNameOf({ servers }: ModelRequest): string {
  const [first] = servers;
  if (first !== undefined && first.modelName !== 'default') return first.modelName;
  throw new HermesError(
    'config',
    'CONFIG',
    'which model? Write --model openai:NAME, or set openai.model_name in the file of --config',
  );
}

/** What a failed call says about all calls. A model that the endpoint does not list may be refused in any way. */
function refusalOf(
  error: ModelError,
  endpoint: Endpoint,
  served: readonly string[],
): HermesError | null {
  if (error.code === 'AUTH') return wrongKey(endpoint, error);
  if (error.code === 'CONFIG') return error;
  const isListed = served.length === 0 || served.includes(endpoint.model);
  const isUnknown = error.code === 'NOT_FOUND' || (error.code === 'BAD_REQUEST' && !isListed);
  return isUnknown ? unknownModel(endpoint, served, error) : null;
}
