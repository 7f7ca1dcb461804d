import { field, isObject, textOf } from './_json.ts';

/** What a server says about a failure. */
export type ServerError = Readonly<{ message: string; type: string | null; code: string | null }>;

/**
 * Reads an error body: `{"error": {...}}` (OpenAI, vLLM, llama-server), `{"error": "text"}` (Ollama),
 * `{"object": "error", "message": ...}` (SGLang), `{"detail": ...}` (FastAPI). null = it is none.
 */
export function readServerError(body: unknown): ServerError | null {
  const error = field(body, 'error') ?? undefined;
  if (isObject(error)) return errorOf(error);
  if (textOf(error) !== null) return errorOf({ message: error });
  if (field(body, 'object') === 'error') return errorOf(body);
  const detail = field(body, 'detail') ?? undefined;
  return detail === undefined ? null : errorOf({ message: detail });
}

function errorOf(error: unknown): ServerError {
  const message = field(error, 'message');
  return {
    message: typeof message === 'string' ? message : JSON.stringify(message ?? error),
    type: textOf(field(error, 'type')),
    code: codeOf(field(error, 'code')),
  };
}

function codeOf(code: unknown): string | null {
  return typeof code === 'number' ? String(code) : textOf(code);
}
