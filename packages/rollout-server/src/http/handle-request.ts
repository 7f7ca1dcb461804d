import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerContext } from '../context.ts';
import { findRoute } from '../routes/routes.ts';
import { hasAccess } from './has-access.ts';
import { Refusal } from './refusal.ts';
import { refusalOf } from './refusal-of.ts';
import { sendJson } from './send-json.ts';

/** Serves one request, whatever comes. */
export async function handleRequest(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://rollout-server');
    const { route, part } = findRoute(request.method ?? 'GET', url.pathname);
    if (route.access === 'token' && !hasAccess(request, context.token))
      throw new Refusal(401, 'unauthorized', 'A key is needed: Authorization: Bearer TOKEN.');
    await route.serve(context, { request, response, query: url.searchParams, part });
  } catch (error) {
    refuse(context, response, error);
  }
}

function refuse({ effects }: ServerContext, response: ServerResponse, error: unknown): void {
  const refusal = refusalOf(error);
  if (refusal.status === 500) effects.logger.log('error', `A request failed: ${refusal.message}`);
  const { code, message } = refusal;
  if (response.headersSent) response.destroy();
  else sendJson(response, refusal.status, { error: { code, message } });
}
