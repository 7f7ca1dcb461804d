import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.ts';

/** A path without its session. */
export type FoundPath = Readonly<{ path: string; sessionId: string | null }>;

/** First parts of paths that name no session. */
const RESERVED = new Set(['health', 'servers', 'sessions', 'setup', 'v1']);

/** Takes the session out of a path: `/abc/v1/chat/completions` is `/:session/v1/chat/completions` of `abc`. Without one the header `x-session-id` names it. */
export function findPath(request: IncomingMessage): FoundPath {
  const { pathname } = new URL(request.url ?? '/', 'http://gateway');
  const [, first = '', ...rest] = pathname.split('/');
  if (first !== '' && !RESERVED.has(first))
    return { path: ['', ':session', ...rest].join('/'), sessionId: checkSessionId(decoded(first)) };
  const named = request.headers['x-session-id'];
  return { path: pathname, sessionId: typeof named === 'string' ? checkSessionId(named) : null };
}

/** Throws a Refusal for an id that cannot stand in a path. */
export function checkSessionId(id: string): string {
  if (/^[\w.-]{1,128}$/.test(id) && !RESERVED.has(id) && !/^\.+$/.test(id)) return id;
  const rule = 'letters, digits, "_", "-" and ".", at most 128, and no name of a route';
  throw new Refusal(400, 'session_id_invalid', `${JSON.stringify(id)} is no session id: ${rule}.`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // no valid escape: then it is the text itself, which the rule for ids refuses
    return part;
  }
}
