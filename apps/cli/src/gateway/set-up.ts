import { loadRunConfig } from '@hermes/env-core';
import type { GatewayBackend, GatewaySetup } from '@hermes/gateway';
import type { Effects } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import { modelRequest } from '../open-model.ts';
import { openServers } from './gateway-backend.ts';

/** Opens the servers that `POST /setup` names, as a configuration would name them. Throws a HermesError that says what is wrong. */
export async function setUp(
  { modelName, tokenizerName, servers }: GatewaySetup,
  context: CliContext,
  effects: Effects,
): Promise<GatewayBackend> {
  const config = await loadRunConfig({
    layers: [
      {
        source: { kind: 'flag', name: 'POST /setup' },
        env: { tokenizer_name: tokenizerName },
        openai: servers.map((server) => ({
          base_url: server.baseUrl,
          model_name: modelName,
          server_type: server.serverType,
          api_key: server.apiKey,
          num_max_requests_at_once: server.maxRequestsAtOnce,
          timeout: server.timeoutSeconds,
        })),
      },
    ],
  });
  return openServers(null, modelRequest(config, true, withoutKeys(context), effects));
}

/** A caller says where its servers are: a key of this process is not sent there. */
function withoutKeys(context: CliContext): CliContext {
  const variables = Object.entries(context.environmentVariables);
  const kept = variables.filter(([name]) => !name.endsWith('_API_KEY'));
  return { ...context, environmentVariables: Object.fromEntries(kept) };
}
