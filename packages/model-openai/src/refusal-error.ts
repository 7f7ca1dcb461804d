import type { JsonObject, ModelError, ModelErrorCode } from '@hermes/protocol';
import { describeTarget, type ModelTarget, modelError, quote } from './model-target.ts';
import { isContextOverflow } from './overflow-texts.ts';
import type { ServerError } from './server-error.ts';

/** What a server answered in place of the model's words. */
export type Refusal = Readonly<{
  status: number;
  error: ServerError;
  retryAfterMs: number | null;
  /** Where a redirect points. */
  location: string | null;
}>;

/** The error for an answer that is none: the class decides whether the call is made again. */
export function refusalError(target: ModelTarget, refusal: Refusal): ModelError {
  const code = codeOf(refusal);
  const options = { details: detailsOf(target, refusal) };
  const message = `${happened(code, target, refusal)}: ${advice(code, target, refusal)}.`;
  return modelError(code, message, isFinal(refusal) ? { ...options, retryable: false } : options);
}

function codeOf(refusal: Refusal): ModelErrorCode {
  const { status } = refusal;
  if (status < 400) return 'CONFIG';
  if (status === 401 || status === 403) return 'AUTH';
  if (status === 402 || status === 429) return 'RATE_LIMIT';
  if (isContextOverflow(wordsOf(refusal))) return 'CONTEXT_OVERFLOW';
  if (status === 404 || isUnknownModel(refusal)) return 'NOT_FOUND';
  if (status === 408) return 'TIMEOUT';
  return status === 409 || status >= 500 ? 'SERVER' : 'BAD_REQUEST';
}

/** An account without money gets none by waiting. */
function isFinal({ error, status }: Refusal): boolean {
  return (
    status === 402 || error.code === 'insufficient_quota' || error.type === 'insufficient_quota'
  );
}

const UNKNOWN_MODEL =
  /model\b.{0,200}\b(does not exist|not found|not (a )?valid|is unknown)|(invalid|unknown) model/i;

function isUnknownModel({ error, status }: Refusal): boolean {
  return (
    (status === 400 || status === 404) && UNKNOWN_MODEL.test(`${error.message} ${error.code ?? ''}`)
  );
}

function wordsOf({ error }: Refusal): string {
  return [error.message, error.type, error.code].join(' ');
}

function happened(code: ModelErrorCode, target: ModelTarget, refusal: Refusal): string {
  const said = `${refusal.status}, ${quote(target, refusal.error.message)}`;
  if (code === 'CONTEXT_OVERFLOW') {
    return `The conversation does not fit into the context window of ${describeTarget(target)} (${said})`;
  }
  const how = code === 'SERVER' || code === 'TIMEOUT' ? 'failed' : 'was refused';
  return `Asking ${describeTarget(target)} ${how} (${said})`;
}

function advice(code: ModelErrorCode, target: ModelTarget, refusal: Refusal): string {
  switch (code) {
    case 'CONFIG':
      return `the API has moved${movedTo(target, refusal)}; set the new place as the base URL`;
    case 'AUTH':
      return target.hasKey
        ? 'give a key that is valid here and may use this model'
        : 'no key was sent; give one';
    case 'RATE_LIMIT':
      return isFinal(refusal)
        ? 'the account has nothing left; top it up or use another key'
        : `let fewer calls run at once, or try again ${waitOf(refusal)}`;
    case 'CONTEXT_OVERFLOW':
      return 'shorten the conversation, or serve the model with a larger window';
    case 'NOT_FOUND':
      return isUnknownModel(refusal)
        ? `use a name that ${target.baseUrl}/models lists`
        : 'check that the base URL is where the API begins (often it ends in /v1), and the name of the model';
    case 'BAD_REQUEST':
      return refusal.error.message.includes('stream_options')
        ? 'set streamUsage to false for this server'
        : 'change what the server names, or the options that were sent to it';
    default:
      return "look at the server's log, or try again later";
  }
}

function waitOf({ retryAfterMs }: Refusal): string {
  return retryAfterMs ? `in ${Math.ceil(retryAfterMs / 1000)} s, as it asks` : 'later';
}

/** Without its query, which may hold a secret. */
function movedTo({ redact }: ModelTarget, { location }: Refusal): string {
  return location === null ? '' : ` to ${redact(location.split('?')[0] ?? '')}`;
}

function detailsOf({ redact }: ModelTarget, refusal: Refusal): JsonObject {
  const { error, retryAfterMs, status } = refusal;
  return {
    status,
    ...(error.type !== null && { serverType: redact(error.type) }),
    ...(error.code !== null && { serverCode: redact(error.code) }),
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
}
