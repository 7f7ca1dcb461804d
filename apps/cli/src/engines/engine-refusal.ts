import { HermesError, ModelError } from '@hermes/protocol';
import type { Endpoint } from '../openai/endpoint.ts';
import { wrongKey } from '../openai/refusals.ts';

/** What a server says at the start, as one sentence that ends the command before anything runs. */
export function engineRefusal(error: unknown, endpoint: Endpoint): unknown {
  if (!ModelError.isInstance(error)) return error;
  if (error.code === 'AUTH') return wrongKey(endpoint, error);
  if (givesNoTokens(error.code, endpoint)) return noTokens(error, endpoint);
  const code = error.code === 'CONNECTION' ? AWAY : error.code;
  return new HermesError('config', code, error.message, { cause: error });
}

/** The code of a refusal by a server that is not there. */
export const AWAY = 'MODEL_UNREACHABLE';

/** The code of a refusal by a server that has answers and no tokens. */
export const NO_TOKENS = 'TOKENS_MISSING';

/** A server of which nothing is known but its chat API may say in many ways that it has no other one. */
function givesNoTokens(code: string, { settings }: Endpoint): boolean {
  if (code === 'TOKENS_MISSING') return true;
  const isOpen = settings.serverType === 'openai' || settings.serverType === 'auto';
  return isOpen && CHAT_ONLY.has(code);
}

const CHAT_ONLY: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'BAD_RESPONSE',
  'NOT_FOUND',
  'UNSUPPORTED',
]);

function noTokens(cause: HermesError, { baseUrl }: Endpoint): HermesError {
  const message = `the endpoint ${baseUrl} gives no token ids, and nothing else can be trained on: serve the model with vLLM, SGLang, TRL or llama.cpp (--openai.server_type), or write --format messages with hermes process. It said: ${cause.message}`;
  return new HermesError('config', NO_TOKENS, message, { cause });
}
