import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { TrainerError } from '../trainer-error.ts';
import { UnwalkableMessages } from '../wire/check-messages.ts';
import { bodyPlace, issueOf } from '../wire/issues.ts';
import { JsonSyntaxError } from '../wire/json-reader.ts';
import { missingBody } from './answer-of.ts';
import { type Answer, internalError, json, text, unprocessable } from './answers.ts';
import { readBody } from './read-body.ts';
import type { Route, RouteContext } from './route.ts';
import { routes } from './routes.ts';
import { sendAnswer } from './send-answer.ts';

export type HandlerContext = RouteContext &
  Readonly<{
    maxBodyBytes: number;
    /** Told of what no request should meet. */
    tellFault: (error: unknown) => void;
    mayCall: (headers: IncomingHttpHeaders) => boolean;
  }>;

/** Serves one request, whatever comes. */
export async function handleRequest(
  context: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await answerTo(context, request).catch((error: unknown) =>
    answerToFault(error, context.tellFault),
  );
  await sendAnswer(request, response, answer);
}

async function answerTo(context: HandlerContext, request: IncomingMessage): Promise<Answer> {
  const isWelcome = context.mayCall(request.headers);
  const read = await readBody(request, isWelcome ? context.maxBodyBytes : 0);
  const url = new URL(request.url ?? '/', 'http://server');
  const route = routes[url.pathname];
  if (isPreflight(request)) return preflight(request);
  if (!isWelcome) return unauthorised;
  if (route === undefined) return json({ detail: 'Not Found' }, 404);
  if (!route.methods.some((method) => method === request.method)) return methodNotAllowed(route);
  if ('refusal' in read) return read.refusal;
  const { body } = read;
  const takesBody = route.methods.includes('POST') && !url.searchParams.has('env_id');
  if (takesBody && body.length === 0) return missingBody;
  if (takesBody && !isJson(request)) return notJson(body);
  const key = request.headers['idempotency-key'];
  return route.serve(context, {
    body,
    query: url.searchParams,
    key: typeof key === 'string' ? key : null,
  });
}

/** A body that is declared as something else is taken for a text. */
function notJson(body: Buffer): Answer {
  return unprocessable([issueOf('model_attributes_type', bodyPlace, body.toString())]);
}

function isJson(request: IncomingMessage): boolean {
  const type = request.headers['content-type'];
  return type === undefined || /^application\/([\w.-]+\+)?json\b/i.test(type);
}

const unauthorised = json(
  { detail: 'This server wants a token: send the header Authorization: Bearer TOKEN' },
  401,
  { 'www-authenticate': 'Bearer' },
);

function methodNotAllowed({ methods }: Route): Answer {
  return json({ detail: 'Method Not Allowed' }, 405, { allow: methods.join(', ') });
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

function preflight({ headers }: IncomingMessage): Answer {
  const wanted = headers['access-control-request-headers'];
  return text('OK', 200, {
    'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
    'access-control-max-age': '600',
    ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
  });
}

function answerToFault(error: unknown, tellFault: (error: unknown) => void): Answer {
  if (error instanceof JsonSyntaxError) return brokenJson(error);
  if (error instanceof RangeError)
    return json({ detail: 'There was an error parsing the body' }, 400);
  if (error instanceof UnwalkableMessages) return internalError;
  tellFault(error);
  const detail = `The trajectory log cannot be written: ${String(error)}. Nothing was taken; send again later.`;
  if (isWriteFailure(error)) return json({ detail }, 503, { 'retry-after': '1' });
  return internalError;
}

function isWriteFailure(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' && !(error instanceof TrainerError);
}

function brokenJson({ reason, position }: JsonSyntaxError): Answer {
  return unprocessable([
    {
      type: 'json_invalid',
      loc: ['body', position],
      msg: 'JSON decode error',
      input: {},
      ctx: { error: reason },
    },
  ]);
}
