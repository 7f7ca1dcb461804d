import { backendOf, type GatewayContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { Session } from '../sessions/session.ts';

/** The session that a call names; opened where it is the first one. */
export async function openedSession(
  context: GatewayContext,
  sessionId: string | null,
): Promise<Session> {
  if (sessionId === null) throw noSession();
  const request = { sessionId, toolParser: null, baseUrl: null };
  return context.table.find(sessionId) ?? context.table.openOrFind(request, backendOf(context));
}

function noSession(): Refusal {
  const message =
    'The request names no session: use the base URL /SESSION_ID/v1, or the header x-session-id.';
  return new Refusal(400, 'session_missing', message);
}
