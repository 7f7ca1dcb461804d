import { type JsonObject, type JsonValue, ModelError, type ModelErrorCode } from '@hermes/protocol';
import { z } from 'zod';

/** What a server says about a failure: vLLM, SGLang, llama.cpp, FastAPI and RunPod each in their own way. */
const errorBody = z.union([
  z.object({
    error: z.object({ message: z.string(), code: z.union([z.number(), z.string()]).nullish() }),
  }),
  z.object({ error: z.string(), details: z.unknown().optional() }),
  z.object({
    object: z.literal('error'),
    message: z.string(),
    code: z.union([z.number(), z.string()]).nullish(),
  }),
  z.object({ detail: z.unknown().refine((detail) => detail !== undefined) }),
]);

/** The words of an error body and the status that it names itself; null = it is none. */
export function readErrorBody(
  body: unknown,
): Readonly<{ message: string; status: number | null }> | null {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  if ('detail' in data) return { message: textOf(data.detail), status: null };
  if ('object' in data) return { message: data.message, status: statusOf(data.code) };
  const { error } = data;
  if (typeof error !== 'string') return { message: error.message, status: statusOf(error.code) };
  const details = 'details' in data && data.details !== undefined ? [textOf(data.details)] : [];
  return { message: [error, ...details].join(': '), status: null };
}

/** The error for a refusal: its class says whether the request is made again. */
export function refusal(
  address: string,
  status: number,
  message: string,
  retryAfterMs: number | null = null,
): ModelError {
  const code = codeOf(status, message);
  const said = message.replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUOTE);
  const details: JsonObject = { status, ...(retryAfterMs !== null && { retryAfterMs }) };
  return wireError(
    code,
    `The engine at ${address} answered ${status}${said === '' ? '' : `, "${said}"`}: ${ADVICE[code] ?? "look at the server's log"}.`,
    details,
  );
}

const LONGEST_QUOTE = 300;

const ADVICE: Partial<Record<ModelErrorCode, string>> = {
  AUTH: 'give a key that is valid here',
  RATE_LIMIT: 'let fewer calls run at once, or try again later',
  CONTEXT_OVERFLOW: 'shorten the conversation, or serve the model with a larger window',
  NOT_FOUND: 'check the base URL, the kind of server and the name of the model',
  BAD_REQUEST: 'change what the server names',
  CONFIG: 'set the place that it names as the base URL',
};

const OVERFLOW =
  /maximum context length|exceed_context_size|exceeds? the available context|longer than the (maximum )?model('s context)? length|max_tokens must be at least 1, got (0|-\d)|context (window|length)/i;

function codeOf(status: number, message: string): ModelErrorCode {
  if (status < 400) return 'CONFIG';
  if (status === 401 || status === 403) return 'AUTH';
  if (status === 402 || status === 429) return 'RATE_LIMIT';
  if (status < 500 && OVERFLOW.test(message)) return 'CONTEXT_OVERFLOW';
  if (status === 404 || status === 405) return 'NOT_FOUND';
  if (status === 408) return 'TIMEOUT';
  return status === 409 || status >= 500 ? 'SERVER' : 'BAD_REQUEST';
}

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set([
  'CONNECTION',
  'RATE_LIMIT',
  'SERVER',
  'STREAM_CUT',
  'TIMEOUT',
]);

/** An error of the way to an engine; never with a cause, which would carry the server's words and keys along. */
export function wireError(
  code: ModelErrorCode,
  message: string,
  details?: Readonly<Record<string, JsonValue>>,
): ModelError {
  return new ModelError(code, message, {
    retryable: RETRYABLE.has(code),
    ...(details !== undefined && { details }),
  });
}

/** Whether another try of the same request may succeed. */
export function isRetried(error: ModelError): boolean {
  return error.retryable && RETRYABLE.has(error.code);
}

function statusOf(code: number | string | null | undefined): number | null {
  const status = Number(code ?? Number.NaN);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
