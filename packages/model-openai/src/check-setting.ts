import { ModelError } from '@hermes/protocol';
import type { OpenAiModelSettings } from './settings.ts';

/** A key in the address would end up in messages and logs. */
export function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return refuse('baseUrl', 'has to be an http or https address such as http://localhost:8000/v1');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return refuse(
      'baseUrl',
      'may not carry a user, a query or a fragment; a key belongs into apiKey',
    );
  }
  return url;
}

export function checkHeader(name: string, value: unknown): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse('headers', 'has a name that HTTP does not allow');
  checkHeaderValue(`headers.${name}`, value);
}

/** HTTP would refuse it with the value in the message. */
export function checkHeaderValue(name: string, value: unknown): void {
  if (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) && value.trim() === value) return;
  refuse(name, 'has to be one line of printable ASCII, without blanks at its ends');
}

export function whole(
  given: OpenAiModelSettings,
  name:
    | 'timeoutMs'
    | 'stallMs'
    | 'maxAttempts'
    | 'retryDelayMs'
    | 'maxRetryAfterMs'
    | 'contextTokens',
  fallback: number,
  least: number,
): number {
  const value = given[name] ?? fallback;
  if (Number.isSafeInteger(value) && value >= least) return value;
  return refuse(name, `has to be a whole number from ${least} on, not ${String(value)}`);
}

export function refuse(name: string, rule: string): never {
  throw new ModelError('CONFIG', `The setting ${name} of the OpenAI-compatible model ${rule}.`);
}
