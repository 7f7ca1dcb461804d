import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a caller may do: everything, call the model of one session, or nothing. */
type Access = Readonly<{ type: 'all' } | { type: 'session' } | { type: 'none' }>;

/** Who may call. An agent is the model's side: with the key of its session it reaches no other session and no tokens. */
export interface Keys {
  /** The key of a session; null = no key is asked for. */
  ofSession(sessionId: string): string | null;
  accessOf(request: IncomingMessage, sessionId: string | null): Access;
}

/** Keys of sessions are made from the token: they need no memory and survive a restart. */
export function createKeys(token: string | null): Keys {
  const ofSession = (sessionId: string) =>
    token === null
      ? null
      : `session-${createHmac('sha256', token).update(sessionId).digest('hex')}`;
  return {
    ofSession,
    accessOf(request, sessionId) {
      if (token === null) return { type: 'all' };
      const given = givenKey(request);
      if (isSame(given, token)) return { type: 'all' };
      const key = sessionId === null ? null : ofSession(sessionId);
      return { type: key !== null && isSame(given, key) ? 'session' : 'none' };
    },
  };
}

/** As OpenAI's clients send it, or as Anthropic's do. */
function givenKey({ headers }: IncomingMessage): string {
  const named = headers['x-api-key'];
  if (typeof named === 'string') return named;
  const [scheme = '', key = ''] = (headers.authorization ?? '').split(' ');
  return scheme.toLowerCase() === 'bearer' ? key : '';
}

/** Takes as long for a wrong key as for the right one. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Of equal length, whatever the texts are. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
