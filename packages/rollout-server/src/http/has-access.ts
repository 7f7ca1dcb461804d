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
  if (scheme.toLowerCase() === 'basic') return passwordOf(key);
  return scheme.toLowerCase() === 'bearer' ? key : '';
}

/** Clients that know nothing but an address put the token into it: `http://any:TOKEN@host:port`. */
function passwordOf(key: string): string {
  const [, ...password] = Buffer.from(key, 'base64').toString('utf8').split(':');
  return password.join(':');
}

/** Of equal length, whatever the texts are. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
