import { chatDialect } from '../dialects/chat/dialect.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { messagesDialect } from '../dialects/messages/dialect.ts';
import { answerCall } from './answer-call.ts';
import type { Route } from './route.ts';
import { health, listModels, listServers, setUp } from './server-routes.ts';
import { createSession, deleteSession, listSessions } from './session-routes.ts';
import { countTokens, listNodes, renderPrompt } from './token-routes.ts';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';

/** Every path of the API, `:session` for the id in front. What an agent calls is there with and without it. */
export const routes: ReadonlyMap<string, Route> = new Map([
  ['/health', forAnybody(health)],
  ['/v1/models', forAgents('GET', chatDialect, listModels)],
  ['/:session/v1/models', forAgents('GET', chatDialect, listModels)],
  ['/setup', forTrainers('POST', setUp)],
  ['/servers', forTrainers('GET', listServers)],
  ['/sessions', forTrainers('GET', listSessions)],
  ['/sessions/create', forTrainers('POST', createSession)],
  ['/:session', forTrainers('DELETE', deleteSession)],
  ['/:session/nodes', forTrainers('GET', listNodes)],
  [CHAT, calls(chatDialect)],
  [`/:session${CHAT}`, calls(chatDialect)],
  [`${CHAT}/render`, forAgents('POST', chatDialect, renderPrompt)],
  [`/:session${CHAT}/render`, forAgents('POST', chatDialect, renderPrompt)],
  [MESSAGES, calls(messagesDialect)],
  [`/:session${MESSAGES}`, calls(messagesDialect)],
  [`${MESSAGES}/count_tokens`, forAgents('POST', messagesDialect, countTokens)],
  [`/:session${MESSAGES}/count_tokens`, forAgents('POST', messagesDialect, countTokens)],
]);

function calls(dialect: Dialect): Route {
  return forAgents('POST', dialect, (context, visit) => answerCall(dialect, context, visit));
}

function forAgents(method: Route['method'], dialect: Dialect, serve: Route['serve']): Route {
  return { method, access: 'session', dialect, serve };
}

function forTrainers(method: Route['method'], serve: Route['serve']): Route {
  return { method, access: 'token', dialect: chatDialect, serve };
}

function forAnybody(serve: Route['serve']): Route {
  return { method: 'GET', access: 'anybody', dialect: chatDialect, serve };
}
