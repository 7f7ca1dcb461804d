import type { FakeHttpAnswer } from './fake-answer.ts';

/** A 429. `retryAfter`: the header, seconds or an HTTP date; absent: none. */
export function rateLimited(retryAfter?: string | number): FakeHttpAnswer {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...refusal(429, 'Too many requests.', 'rate_limit_error'), headers };
}

/** A 500, or another status of a broken server. */
export function serverBroken(status = 500): FakeHttpAnswer {
  return refusal(status, 'Internal server error.', 'server_error');
}

/** A 401. */
export function wrongKey(key = ''): FakeHttpAnswer {
  return refusal(401, `Incorrect API key provided: ${key}`, 'invalid_request_error');
}

/** A 404 for a model that is not served. */
export function unknownModel(model: string): FakeHttpAnswer {
  return refusal(404, `The model \`${model}\` does not exist.`, 'NotFoundError');
}

/** A 400 for a conversation that is longer than the context window. */
export function contextOverflow(contextTokens = 1024): FakeHttpAnswer {
  const message = `This model's maximum context length is ${contextTokens} tokens. However, your prompt contains at least ${contextTokens + 1} input tokens.`;
  return refusal(400, message, 'BadRequestError');
}

/** An error in the form that most servers use. */
export function refusal(status: number, message: string, type: string): FakeHttpAnswer {
  return { status, body: { error: { message, type, param: null, code: status } } };
}
