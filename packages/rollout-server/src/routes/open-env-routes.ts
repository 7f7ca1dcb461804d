import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { unlessAborted } from '../_unless-aborted.ts';
import type { ServerContext } from '../context.ts';
import { findEnvironment } from '../environments/find-environment.ts';
import { parse } from '../http/parse.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson } from '../http/send-json.ts';
import { withinLimits } from '../http/within-limits.ts';
import { actionBody } from '../open-env/action.ts';
import type { Observation } from '../open-env/observation.ts';
import { readResetRequest } from '../open-env/reset-request.ts';
import { openEnvSchemas } from '../open-env/schemas.ts';
import type { Session } from '../open-env/session.ts';
import type { Visit } from './route.ts';

/** The episode of HTTP callers that name none. */
const DEFAULT_EPISODE = 'default';

const stepBody = z.strictObject({
  action: actionBody,
  timeout_s: z.number().positive().nullish(),
  /** For the caller's own log; nothing is read from it. */
  request_id: z.string().max(255).nullish(),
  episode_id: z.string().min(1).max(255).nullish(),
});

/** `POST /reset` */
export async function postReset(
  context: ServerContext,
  { request, response }: Visit,
): Promise<void> {
  const read = readResetRequest(await readJson(request, context.bodyBytes));
  const { sessions, requestTimeoutMs } = context;
  const episodeId = read.episodeId ?? DEFAULT_EPISODE;
  const session = sessions.open(episodeId, null);
  const observation = await observed(context, session, response, requestTimeoutMs, () =>
    session.reset(context, { ...read, episodeId }),
  ).catch(async (error: unknown) => {
    await sessions.end(session, 'its reset failed');
    throw error;
  });
  sendJson(response, 200, observation);
}

/** `POST /step`. With its last observation an episode is gone. */
export async function postStep(
  context: ServerContext,
  { request, response }: Visit,
): Promise<void> {
  const body = parse(stepBody, await readJson(request, context.bodyBytes));
  const session = context.sessions.find(body.episode_id ?? DEFAULT_EPISODE);
  const timeoutMs = body.timeout_s == null ? context.requestTimeoutMs : body.timeout_s * 1000;
  const observation = await observed(context, session, response, timeoutMs, () =>
    session.step(body.action),
  );
  if (observation.done) await context.sessions.end(session, 'its episode is over');
  sendJson(response, 200, observation);
}

/** `GET /state?episode_id=` */
export async function getState(
  { sessions }: ServerContext,
  { response, query }: Visit,
): Promise<void> {
  const session = sessions.find(query.get('episode_id') ?? DEFAULT_EPISODE);
  sendJson(response, 200, session.state());
}

/** `GET /schema` */
export async function getSchema(_context: ServerContext, { response }: Visit): Promise<void> {
  sendJson(response, 200, openEnvSchemas());
}

/** `GET /metadata?environment=` */
export async function getMetadata(
  { environments }: ServerContext,
  { response, query }: Visit,
): Promise<void> {
  const { definition } = findEnvironment(environments, query.get('environment'));
  const { id, description, version } = definition;
  sendJson(response, 200, { name: id, description, version });
}

/** Ends the session of a caller that hung up or got no answer in time: it does not know how the episode stands. */
function observed(
  context: ServerContext,
  session: Session,
  response: ServerResponse,
  timeoutMs: number,
  work: () => Promise<Observation>,
): Promise<Observation> {
  return withinLimits(context, response, timeoutMs, async (signal) => {
    try {
      return await unlessAborted(work(), signal);
    } catch (error) {
      if (signal.aborted) await context.sessions.end(session, 'its caller got no answer');
      throw error;
    }
  });
}
