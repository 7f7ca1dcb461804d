import type { ModelError } from '@hermes/protocol';
import { textOf } from './_json.ts';
import { describeTarget, type ModelTarget, modelError, quote } from './model-target.ts';

/** What no later attempt can mend. */
const FINAL_CODES = /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY|ERR_INVALID_URL/;
/** There was a connection, and it was lost before the answer began. */
const LOST_CODES = /ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_/;

/** The error of a request that got no answer. */
export function connectionError(target: ModelTarget, error: unknown): ModelError {
  const found = systemCode(error);
  const code = found ?? '';
  const why = found ?? quote(target, deepestMessage(error));
  const message = LOST_CODES.test(code)
    ? `The connection to ${describeTarget(target)} was lost before an answer began (${why}): look at the server's log, or try again later.`
    : `No connection to ${describeTarget(target)} (${why}): start the server, or correct the base URL.`;
  const details = { systemCode: found };
  return modelError('CONNECTION', message, {
    details,
    ...(FINAL_CODES.test(code) && { retryable: false }),
  });
}

/** `ECONNREFUSED` and its like, from the depth of the causes. */
export function systemCode(error: unknown): string | null {
  for (const each of causesOf(error)) {
    const code = textOf(Reflect.get(each, 'code'));
    if (code !== null) return code;
  }
  return null;
}

function deepestMessage(error: unknown): string {
  return causesOf(error).at(-1)?.message ?? String(error);
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 10; each = each.cause)
    causes.push(each);
  return causes;
}
