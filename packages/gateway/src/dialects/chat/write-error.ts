import type { Refusal } from '../../http/refusal.ts';

/** An error in OpenAI's form. */
export function writeError({ status, code, message }: Refusal): object {
  return { error: { message, type: typeOf(status), code } };
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}
