import type { ChatRequest, TokenSegment } from '@hermes/protocol';
import type { GatewayContext } from '../context.ts';
import { chatDialect } from '../dialects/chat/dialect.ts';
import { readCountRequest } from '../dialects/messages/read-call.ts';
import { readJson } from '../http/read-json.ts';
import { Refusal } from '../http/refusal.ts';
import { sendJson } from '../http/send-json.ts';
import type { Session } from '../sessions/session.ts';
import { openedSession } from './opened-session.ts';
import type { Visit } from './route.ts';
import { knownSession } from './session-routes.ts';

/** `GET /{id}/nodes`: the segments of a session, in order of opening. */
export async function listNodes(context: GatewayContext, visit: Visit): Promise<void> {
  const session = knownSession(context, visit.sessionId);
  const segments = session.model.segments?.();
  if (segments === undefined) throw noTokens(session);
  const nodes = segments.map((segment) => nodeOf(session, segment));
  sendJson(visit.response, 200, { nodes });
}

/** `POST /{id}/v1/chat/completions/render`: the prompt that would be sent. */
export async function renderPrompt(context: GatewayContext, visit: Visit): Promise<void> {
  const { request } = chatDialect.read(await readJson(visit.request, context.bodyBytes));
  const session = await openedSession(context, visit.sessionId);
  const ids = promptIds(session, request);
  const text = session.backend.tokenizer?.decode(ids) ?? null;
  sendJson(visit.response, 200, { prompt_text: text, token_ids: ids, num_tokens: ids.length });
}

/** `POST /{id}/v1/messages/count_tokens` */
export async function countTokens(context: GatewayContext, visit: Visit): Promise<void> {
  const request = readCountRequest(await readJson(visit.request, context.bodyBytes));
  const session = await openedSession(context, visit.sessionId);
  sendJson(visit.response, 200, { input_tokens: promptIds(session, request).length });
}

function promptIds(session: Session, request: ChatRequest): readonly number[] {
  const ids = session.model.promptIds?.(request, session.id);
  if (ids === undefined) throw noTokens(session);
  return ids;
}

function noTokens({ model }: Session): Refusal {
  const message = `The model ${model.modelId} is not in token space: it has text alone.`;
  return new Refusal(501, 'no_tokens', message);
}

/** In the names of the original's nodes, with what ours knows beside. */
function nodeOf(session: Session, segment: TokenSegment) {
  const { ids, mask, logprobs, index, openedBecause, source, weightVersions } = segment;
  return {
    full_text: session.backend.tokenizer?.decode(ids) ?? null,
    tokens: ids,
    masked_tokens: mask,
    logprobs,
    metadata: {
      finish_reason: session.finishOf(index),
      opened_because: openedBecause,
      weight_versions: weightVersions,
      ...(source === 'placeholder' && { dummy_tokens: true }),
    },
  };
}
