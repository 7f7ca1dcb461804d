import { HermesError, ModelError } from '@hermes/protocol';
import { APIError } from 'openai';
import type { GuardReason } from './attempt-guard.ts';
import { connectionError, systemCode } from './connection-error.ts';
import { describeTarget, type ModelTarget, modelError, quote } from './model-target.ts';
import { type Refusal, refusalError } from './refusal-error.ts';
import { retryAfterMs } from './retry-after.ts';
import { readServerError, type ServerError } from './server-error.ts';
import type { ResolvedSettings } from './settings.ts';

/** The attempt was ended by its guard. */
export function guardError(
  target: ModelTarget,
  reason: GuardReason,
  { stallMs, timeoutMs }: Pick<ResolvedSettings, 'stallMs' | 'timeoutMs'>,
): ModelError {
  const asking = `Asking ${describeTarget(target)}`;
  if (reason === 'aborted')
    return modelError('CANCELLED', `${asking} was cancelled by its caller.`);
  return reason === 'deadline'
    ? modelError(
        'TIMEOUT',
        `${asking} took longer than ${timeoutMs} ms: look whether the server is overloaded, or raise the time limit of a request (timeoutMs).`,
      )
    : modelError(
        'TIMEOUT',
        `${asking} stalled, nothing came for ${stallMs} ms in the middle of the answer: look at the server's log, or raise the limit of silence (stallMs).`,
      );
}

/** The connection broke, or the stream ended, before the answer was whole. */
export function streamCutError(target: ModelTarget, error?: unknown): ModelError {
  const code = systemCode(error);
  const how = code === null ? '' : ` (${code})`;
  return modelError(
    'STREAM_CUT',
    `The answer of ${describeTarget(target)} was cut off half-way${how}: look at the server's log and at proxies in between, or try again later.`,
  );
}

/** The answer is there and cannot be read. */
export function badResponseError(target: ModelTarget, what: string, text: string): ModelError {
  return modelError(
    'BAD_RESPONSE',
    `${describeTarget(target).replace('the', 'The')} sent ${what} (${quote(target, text)}): check that the base URL is an OpenAI-compatible API, and the server's log.`,
  );
}

/** There is no message in the answer. */
export function emptyResponseError(target: ModelTarget): ModelError {
  return modelError(
    'EMPTY_RESPONSE',
    `${describeTarget(target).replace('the', 'The')} sent an answer without a message: look at the server's log, or try again later.`,
  );
}

/** Whatever was thrown while the request was made, as one of ours. */
export function openError(target: ModelTarget, error: unknown, nowMs: number): ModelError {
  if (HermesError.isInstance(error) && error instanceof ModelError) return error;
  if (!(error instanceof APIError))
    return badResponseError(target, 'what cannot be read', String(error));
  if (error.status === undefined) return connectionError(target, error);
  return refusalError(target, refusalOf(error, error.status, nowMs));
}

function refusalOf(error: APIError, status: number, nowMs: number): Refusal {
  const headers = error.headers;
  const said = readServerError({ error: error.error }) ?? { message: '', type: null, code: null };
  const location = headers?.get('location') ?? null;
  return { status, error: said, retryAfterMs: retryAfterMs(headers, nowMs), location };
}

/** An error that came with status 200: its own code, else its type, tells the class. */
export function bodyError(target: ModelTarget, error: ServerError): ModelError {
  const status = statusOf(error);
  return refusalError(target, { status, error, retryAfterMs: null, location: null });
}

const STATUS_OF_TYPE: readonly (readonly [RegExp, number])[] = [
  [/auth|permission/i, 401],
  [/rate_?limit|quota/i, 429],
  [/not_?found/i, 404],
  [/invalid|bad_?request/i, 400],
];

function statusOf({ code, type }: ServerError): number {
  const status = Number(code);
  if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  const words = `${type ?? ''} ${code ?? ''}`;
  return STATUS_OF_TYPE.find(([pattern]) => pattern.test(words))?.[1] ?? 500;
}
