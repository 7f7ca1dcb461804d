import type { Refusal } from '../../http/refusal.ts';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** An error in Anthropic's form. */
export function writeError({ status, message }: Refusal): object {
  return { type: 'error', error: { type: TYPES[status] ?? 'api_error', message } };
}
