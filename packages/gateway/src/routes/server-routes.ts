import { z } from 'zod';
import type { GatewayContext } from '../context.ts';
import { parse } from '../http/parse.ts';
import { readJson } from '../http/read-json.ts';
import { Refusal } from '../http/refusal.ts';
import { sendJson } from '../http/send-json.ts';
import type { GatewaySetup } from '../types.ts';
import type { Visit } from './route.ts';

const setupBody = z.object({
  model_name: z.string().min(1),
  tokenizer_name: z.string().nullish(),
  servers: z
    .array(
      z.object({
        base_url: z.string().min(1),
        server_type: z.string().default('vllm'),
        api_key: z.string().default(''),
        num_max_requests_at_once: z.int().min(1).default(512),
        num_requests_for_eval: z.int().min(0).default(64),
        timeout: z.number().positive().default(1200),
      }),
    )
    .min(1),
});

/** `GET /health` */
export async function health(
  { backend, table }: GatewayContext,
  { response }: Visit,
): Promise<void> {
  const servers = backend?.servers?.() ?? [];
  sendJson(response, 200, {
    status: backend === null ? 'no_model' : 'ok',
    model: backend?.modelId ?? null,
    sessions: table.all.length,
    servers: servers.length,
    healthy_servers: servers.filter(({ isHealthy }) => isHealthy).length,
  });
}

/** `GET /v1/models` */
export async function listModels({ backend }: GatewayContext, { response }: Visit): Promise<void> {
  const data =
    backend === null
      ? []
      : [{ id: backend.modelId, object: 'model', created: 0, owned_by: 'hermes' }];
  sendJson(response, 200, { object: 'list', data });
}

/** `GET /servers` */
export async function listServers({ backend }: GatewayContext, { response }: Visit): Promise<void> {
  const servers = (backend?.servers?.() ?? []).map(({ baseUrl, isHealthy }) => ({
    base_url: baseUrl,
    healthy: isHealthy,
  }));
  sendJson(response, 200, { servers });
}

/** `POST /setup`: another backend takes over. Sessions of the one before end: their tokens are of another model. */
export async function setUp(context: GatewayContext, visit: Visit): Promise<void> {
  const { setup, bodyBytes, table } = context;
  if (setup === undefined)
    throw new Refusal(501, 'no_setup', 'This gateway was started with its model: start another.');
  const body = parse(setupBody, await readJson(visit.request, bodyBytes));
  const next = await setup(readSetup(body));
  const before = context.backend; // of two setups at once the second takes the place of the first
  context.backend = next;
  await table.endAll();
  await before?.close?.();
  await listServers(context, visit);
}

function readSetup(body: z.infer<typeof setupBody>): GatewaySetup {
  return {
    modelName: body.model_name,
    tokenizerName: body.tokenizer_name ?? null,
    servers: body.servers.map((server) => ({
      baseUrl: server.base_url,
      serverType: server.server_type,
      apiKey: server.api_key,
      maxRequestsAtOnce: server.num_max_requests_at_once,
      requestsForEval: server.num_requests_for_eval,
      timeoutSeconds: server.timeout,
    })),
  };
}
