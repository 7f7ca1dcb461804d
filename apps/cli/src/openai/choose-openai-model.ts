import { createOpenAiModel } from '@hermes/model-openai';
import { measureModel, openPooledModel } from '@hermes/model-pool';
import { type ChatModel, HermesError, type ModelError } from '@hermes/protocol';
import type { ChosenModel, ModelRequest } from '../models.ts';
import { checkEndpoints, type Served } from './check-endpoints.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { modelNameOf } from './model-name.ts';
import { modelSettings } from './model-settings.ts';
import { type Member, openPool } from './open-pool.ts';
import { priceCalls } from './price-calls.ts';
import { unknownModel, wrongKey } from './refusals.ts';
import { watchRefusals } from './watch-refusals.ts';

/** The model of a run; whoever has no run opens it for any rollout. */
type OpenAiChoice = Omit<ChosenModel, 'open' | 'preflight'> &
  Required<Pick<ChosenModel, 'preflight'>> &
  Readonly<{ open: (rollout: Readonly<{ rolloutId: string }>) => ChatModel }>;

/** `openai:NAME`: one model on one server or several. NAME wins over `openai.model_name`. */
export async function chooseOpenAiModel(
  name: string | null,
  request: ModelRequest,
): Promise<OpenAiChoice> {
  const { servers, environmentVariables, effects } = request;
  const modelId = modelNameOf(name, servers);
  if (modelId === null) throw unnamed();
  if (request.tokenizerName !== null)
    request.note('env.tokenizer_name has no effect on a chat API; --server-type asks in tokens');
  const endpoints = servers.map((server) => endpointOf(server, modelId, environmentVariables));
  let served: Served = new Map();
  const refusals = watchRefusals();
  const members = endpoints.map((endpoint) => {
    const client = createOpenAiModel(modelSettings(endpoint), effects);
    const model = refusals.watch(priceCalls(client, endpoint.settings.price), (error) =>
      refusalOf(error, endpoint, served.get(endpoint) ?? []),
    );
    return { endpoint, model };
  });
  const price = endpoints[0]?.settings.price ?? null;
  return {
    provider: 'openai',
    modelId,
    ...opened(members, request),
    refused: refusals.refused,
    prices: { price: () => price },
    modelCalls: servers.reduce((sum, server) => sum + server.maxRequests, 0),
    async preflight(signal) {
      served = await checkEndpoints(endpoints, request.note, signal);
    },
  };
}

/** One server as it is, several as a pool. */
function opened(
  members: readonly Member[],
  { effects }: ModelRequest,
): Pick<OpenAiChoice, 'open' | 'close' | 'stats'> {
  const [first, second] = members;
  if (first !== undefined && second === undefined) {
    const { model, stats } = measureModel(first.model, () => effects.clock.now().monoMs);
    return { open: () => model, stats };
  }
  const pool = openPool(members, effects);
  return {
    open: ({ rolloutId }) => openPooledModel(pool, rolloutId),
    close: () => pool.close(),
    stats: () => pool.stats(),
  };
}

function unnamed(): HermesError {
  const message =
    'which model? Write --model openai:NAME, or set openai.model_name in the file of --config';
  return new HermesError('config', 'CONFIG', message);
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
