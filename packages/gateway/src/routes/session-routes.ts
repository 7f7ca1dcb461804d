import { z } from 'zod';
import { backendOf, type GatewayContext } from '../context.ts';
import { checkSessionId } from '../http/find-path.ts';
import { parse } from '../http/parse.ts';
import { readJson } from '../http/read-json.ts';
import { Refusal } from '../http/refusal.ts';
import { sendJson } from '../http/send-json.ts';
import type { Session } from '../sessions/session.ts';
import type { Visit } from './route.ts';

const createBody = z.object({
  /** Our addition: the caller's own id. */
  session_id: z.string().nullish(),
  tool_parser: z.string().nullish(),
  track_tree: z.boolean().nullish(),
  base_url: z.string().nullish(),
});

/** `POST /sessions/create` */
export async function createSession(
  context: GatewayContext,
  { request, response }: Visit,
): Promise<void> {
  const body = parse(createBody, await readJson(request, context.bodyBytes));
  const session = await context.table.create(
    {
      sessionId: checkSessionId(body.session_id ?? context.effects.newId('session')),
      toolParser: body.tool_parser ?? null,
      baseUrl: body.base_url ?? null,
    },
    backendOf(context),
  );
  sendJson(response, 200, describe(context, session));
}

/** `GET /sessions` */
export async function listSessions(context: GatewayContext, { response }: Visit): Promise<void> {
  const sessions = context.table.all.map((session) => ({
    ...describe(context, session),
    calls: session.calls,
    idle_seconds: session.idleMs() / 1000,
    num_nodes: session.model.segments?.().length ?? null,
  }));
  sendJson(response, 200, { sessions });
}

/** `DELETE /{id}` */
export async function deleteSession(
  { table }: GatewayContext,
  { response, sessionId }: Visit,
): Promise<void> {
  if (sessionId === null || !(await table.end(sessionId))) throw unknownSession(sessionId);
  sendJson(response, 200, { status: 'deleted', uuid: sessionId });
}

/** Throws a Refusal with 404. */
export function knownSession({ table }: GatewayContext, sessionId: string | null): Session {
  const session = sessionId === null ? null : table.find(sessionId);
  if (session === null) throw unknownSession(sessionId);
  return session;
}

function unknownSession(sessionId: string | null): Refusal {
  const message = `There is no session ${sessionId}: it was never opened, or it has ended.`;
  return new Refusal(404, 'session_not_found', message);
}

function describe(
  { baseUrl, keys }: GatewayContext,
  { id, model, toolParser, createdAtMs }: Session,
) {
  return {
    uuid: id,
    model_name: model.modelId,
    tool_parser: toolParser,
    base_url: `${baseUrl}/${id}/v1`,
    created_at: createdAtMs / 1000,
    api_key: keys.ofSession(id),
  };
}
