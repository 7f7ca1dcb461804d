import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether a caller shows the token. null = nobody is asked. */
export function hasAccess(request: IncomingMessage, token: string | null): boolean {
  return token === null || timingSafeEqual(digest(givenKey(request)), digest(token));
}

function givenKey({ headers }: IncomingMessage): string {
  const named = headers['x-api-key'];
  if (typeof named === 'string') return named;
  const [scheme = '', key = ''] = (headers.authorization ?? '').split(' ');
  return scheme.toLowerCase() === 'bearer' ? key : '';
}

/** Of equal length, whatever the texts are. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
