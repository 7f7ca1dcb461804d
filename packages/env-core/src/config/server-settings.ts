import type { ModelPrice } from '../run-options.ts';
import type { Values } from './_parse-fields.ts';
import type { SERVER_FIELDS } from './_server-keys.ts';

/** One entry of section `openai`. */
export type ServerSettings = Readonly<{
  baseUrl: string;
  apiKey: string;
  /** Key `api_key_env`: the environment variable that holds the key; null = none was named. */
  apiKeyVariable: string | null;
  modelName: string;
  serverType: 'openai' | 'trl' | 'sglang' | 'vllm';
  timeoutMs: number;
  maxRequests: number;
  /** Ask the server before the run whether it is there. */
  checksHealth: boolean;
  streaming: boolean;
  /** Requests of one model call, the first included. */
  maxAttempts: number;
  /** Before the second request of a call; doubles from one to the next. */
  retryDelayMs: number;
  /** How long a stream that has begun may be silent. */
  stallMs: number;
  /** null = not known. */
  contextTokens: number | null;
  /** false for servers that refuse `stream_options`. */
  streamUsage: boolean;
  /** null = as the host wants it. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens' | null;
  /** In which field earlier reasoning goes back to the server; null = not at all. */
  reasoningField: 'reasoning_content' | 'reasoning' | null;
  headers: Readonly<Record<string, string>> | null;
  /** null = unknown: what the server does not tell costs null. */
  price: ModelPrice | null;
}>;

/** The values of one server as they are used. */
export function toServerSettings(values: Values<typeof SERVER_FIELDS>): ServerSettings {
  return {
    baseUrl: values.base_url,
    apiKey: values.api_key,
    apiKeyVariable: values.api_key_env,
    modelName: values.model_name,
    serverType: values.server_type,
    timeoutMs: values.timeout * 1000,
    maxRequests: values.num_max_requests_at_once,
    checksHealth: values.health_check,
    streaming: values.streaming,
    maxAttempts: values.max_attempts,
    retryDelayMs: values.retry_delay * 1000,
    stallMs: values.stall_timeout * 1000,
    contextTokens: values.context_tokens,
    streamUsage: values.stream_usage,
    maxTokensField: values.max_tokens_field,
    reasoningField: values.reasoning_field === 'none' ? null : values.reasoning_field,
    headers: values.headers,
    price: values.price,
  };
}
