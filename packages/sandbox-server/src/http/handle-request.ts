import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerEffects } from '../_effects.ts';
import { messageOf } from '../_message-of.ts';
import { type RouteContext, routes } from '../routes.ts';
import { type Answer, refused } from './answer.ts';
import { isAuthorized } from './authorize.ts';
import { readJson } from './read-json.ts';
import { Refusal } from './refusal.ts';

export type HandlerContext = RouteContext & Readonly<{ token: string; effects: ServerEffects }>;

/** Serves one request, whatever comes. */
export async function handleRequest(
  context: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await answerTo(context, request).catch((error: unknown) =>
    answerToFault(error, context),
  );
  const text = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...answer.headers,
  });
  response.end(text);
}

/** Who calls is asked before anything else of the request is looked at. */
async function answerTo(context: HandlerContext, request: IncomingMessage): Promise<Answer> {
  if (!isAuthorized(request, context.token))
    return refused(401, 'a token is needed: Authorization: Bearer TOKEN', {
      'www-authenticate': 'Bearer',
      connection: 'close',
    });
  const { pathname } = new URL(request.url ?? '/', 'http://server');
  const route = routes.get(pathname);
  if (route === undefined) return refused(404, `there is no ${pathname}`);
  if (request.method !== route.method)
    return refused(405, `${pathname} takes ${route.method}`, { allow: route.method });
  const body = route.method === 'POST' ? await readJson(request, context.limits.bodyBytes) : null;
  return route.serve(context, body);
}

function answerToFault(error: unknown, { effects }: HandlerContext): Answer {
  if (error instanceof Refusal) return refused(error.status, error.message);
  effects.logger.log('error', `A request failed: ${messageOf(error)}`);
  return refused(500, messageOf(error));
}
