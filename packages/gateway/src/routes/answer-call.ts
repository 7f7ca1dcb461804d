import type { ChatResult, ModelCallContext } from '@hermes/protocol';
import type { GatewayContext } from '../context.ts';
import type { AgentCall, AnswerIdentity, Dialect } from '../dialects/dialect.ts';
import { readJson } from '../http/read-json.ts';
import { Refusal } from '../http/refusal.ts';
import { sendJson } from '../http/send-json.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionModel } from '../types.ts';
import { openedSession } from './opened-session.ts';
import type { Visit } from './route.ts';
import { streamAnswer } from './stream-answer.ts';
import { withinLimits } from './within-limits.ts';

/** One model call of an agent. The session opens with the first. */
export async function answerCall(
  dialect: Dialect,
  context: GatewayContext,
  visit: Visit,
): Promise<void> {
  const call = dialect.read(await readJson(visit.request, context.bodyBytes));
  const session = await openedSession(context, visit.sessionId);
  checkCount(call, session.model);
  const asked = { session, call, identity: identityOf(dialect, context, session) };
  await session.during((turn) =>
    withinLimits(context, visit.response, session, (signal) =>
      answer(dialect, visit, asked, callContext(session, turn, signal)),
    ),
  );
}

/** A call and whose it is. */
export type AskedCall = Readonly<{ session: Session; call: AgentCall; identity: AnswerIdentity }>;

async function answer(
  dialect: Dialect,
  { response }: Visit,
  asked: AskedCall,
  context: ModelCallContext,
): Promise<void> {
  const { session, call, identity } = asked;
  if (call.isStream) return streamAnswer(dialect, response, asked, context);
  const results = await resultsOf(session.model, call, context);
  session.note(results);
  sendJson(response, 200, dialect.answer(results, identity));
}

async function resultsOf(
  model: SessionModel,
  { request, count }: AgentCall,
  context: ModelCallContext,
): Promise<readonly ChatResult[]> {
  if (count > 1 && model.choices !== undefined) return model.choices(request, count, context);
  for await (const event of model.chat(request, context))
    if (event.type === 'result') return [event.result];
  throw new Refusal(502, 'bad_response', `The model ${model.modelId} ended without an answer.`);
}

function checkCount({ count, isStream }: AgentCall, model: SessionModel): void {
  if (count === 1) return;
  const why = isStream
    ? 'only one answer can be streamed'
    : model.choices === undefined && 'this model gives one answer';
  if (why) throw new Refusal(400, 'unsupported_parameter', `n: ${count}: ${why}.`);
}

function identityOf(
  dialect: Dialect,
  { effects }: GatewayContext,
  session: Session,
): AnswerIdentity {
  return {
    id: effects.newId(dialect.name === 'chat' ? 'chatcmpl' : 'msg'),
    modelId: session.model.modelId,
    createdAtSeconds: Math.floor(effects.clock.now().wallMs / 1000),
  };
}

function callContext({ id }: Session, turn: number, signal: AbortSignal): ModelCallContext {
  return { signal, rolloutId: id, invocationId: id, turn, purpose: 'policy', split: 'train' };
}
