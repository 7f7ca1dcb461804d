import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether a request bears the token. Takes as long for a wrong one as for the right one. */
export function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ');
  return scheme.toLowerCase() === 'bearer' && timingSafeEqual(digest(given), digest(token));
}

/** Of equal length, whatever the texts are. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
