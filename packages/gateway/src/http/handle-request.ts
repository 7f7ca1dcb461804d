import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayContext } from '../context.ts';
import { chatDialect } from '../dialects/chat/dialect.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Route } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { findPath } from './find-path.ts';
import { Refusal } from './refusal.ts';
import { refusalOf } from './refusal-of.ts';
import { sendJson } from './send-json.ts';

/** Serves one request, whatever comes. */
export async function handleRequest(
  context: GatewayContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let dialect = chatDialect;
  try {
    const { path, sessionId } = findPath(request);
    const route = findRoute(path, request);
    dialect = route.dialect;
    checkAccess(context, route, request, sessionId);
    await route.serve(context, { request, response, sessionId });
  } catch (error) {
    refuse(context, dialect, response, error);
  }
}

function findRoute(path: string, { method = 'GET' }: IncomingMessage): Route {
  const route = routes.get(path);
  if (route === undefined) throw new Refusal(404, 'not_found', `There is no ${path}.`);
  if (route.method === method) return route;
  throw new Refusal(405, 'method_not_allowed', `${path} takes ${route.method}.`);
}

function checkAccess(
  { keys }: GatewayContext,
  { access }: Route,
  request: IncomingMessage,
  sessionId: string | null,
): void {
  if (access === 'anybody') return;
  const { type } = keys.accessOf(request, sessionId);
  if (type === 'all' || (type === 'session' && access === 'session')) return;
  const key = access === 'session' ? 'the token, or the key of this session' : 'the token';
  if (type === 'none')
    throw new Refusal(401, 'unauthorized', `A key is needed: Authorization: Bearer with ${key}.`);
  throw new Refusal(403, 'forbidden', 'The key of a session calls its model and nothing else.');
}

function refuse(
  { effects }: GatewayContext,
  dialect: Dialect,
  response: ServerResponse,
  error: unknown,
): void {
  const refusal = refusalOf(error);
  if (refusal.status >= 500) effects.logger.log('error', `A request failed: ${refusal.message}`);
  if (response.headersSent) response.destroy();
  else sendJson(response, refusal.status, dialect.refusal(refusal));
}
