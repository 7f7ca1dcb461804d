import type { JsonObject, ModelErrorCode } from '@hermes/protocol';
import { ModelError } from '@hermes/protocol';
import type { Redact } from './redact.ts';

/** What errors speak of, and what they must not say. */
export type ModelTarget = Readonly<{
  model: string;
  baseUrl: string;
  hasKey: boolean;
  redact: Redact;
}>;

/** `the model "x" at http://host/v1` */
export function describeTarget({ model, baseUrl }: ModelTarget): string {
  return `the model "${model}" at ${baseUrl}`;
}

const QUOTE_LENGTH = 300;

/** The words of a server, on one line, without secrets and not too many. */
export function quote({ redact }: ModelTarget, text: string): string {
  const line = redact(text).replace(/\s+/g, ' ').trim();
  if (line === '') return 'without a word';
  return line.length > QUOTE_LENGTH ? `"${line.slice(0, QUOTE_LENGTH)}..."` : `"${line}"`;
}

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set([
  'BAD_RESPONSE',
  'CONNECTION',
  'EMPTY_RESPONSE',
  'RATE_LIMIT',
  'SERVER',
  'STREAM_CUT',
  'TIMEOUT',
]);

/** An error that may go into records. It never has a `cause`: that would carry the server's own words with it. */
export function modelError(
  code: ModelErrorCode,
  message: string,
  options: Readonly<{ retryable?: boolean; details?: JsonObject }> = {},
): ModelError {
  return new ModelError(code, message, { retryable: RETRYABLE.has(code), ...options });
}
