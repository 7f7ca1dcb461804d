import type { ModelPrice } from '../run-options.ts';
import { field, type Theme, theme, unread } from './_fields.ts';
import { choice, decimal, flag, integer, nullable, text } from './_kinds.ts';
import { price, textMap } from './_structures.ts';

/** `openai`: its chat API. `auto`: found out at the start. All others give token ids. */
type ServerType =
  | 'openai'
  | 'auto'
  | 'vllm'
  | 'vllm_inference'
  | 'atropos_vllm'
  | 'sglang'
  | 'trl'
  | 'llama_cpp'
  | 'runpod';

/** One entry of section `openai`. */
export type ServerSettings = Readonly<{
  baseUrl: string;
  apiKey: string;
  /** Key `api_key_env`: the environment variable that holds the key; null = none was named. */
  apiKeyVariable: string | null;
  modelName: string;
  serverType: ServerType;
  /** What a RunPod endpoint runs; null = it was not said. */
  runpodWorker: 'vllm' | 'vllm_inference' | 'sglang' | null;
  /** A folder, a `tokenizer.json`, or a name on the hub; null = it was not said. */
  tokenizerName: string | null;
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

/** Its keys. */
export const serverKeys: Theme<ServerSettings> = theme(
  {
    base_url: field(
      text('http://127.0.0.1:8000/v1'),
      '',
      "where the server's API begins; empty: OPENAI_BASE_URL",
    ),
    api_key: field(text(), '', 'the key; better in the variable OPENAI_API_KEY'),
    api_key_env: field(nullable(text('MY_KEY')), null, 'the variable that holds the key'),
    model_name: field(text('Qwen/Qwen3-4B'), 'default', 'the model, as the server calls it'),
    server_type: field(
      choice<ServerType>(
        'openai',
        'auto',
        'vllm',
        'vllm_inference',
        'atropos_vllm',
        'sglang',
        'trl',
        'llama_cpp',
        'runpod',
      ),
      'openai',
      'openai: its chat API; any other: token ids; not given: found out where ids are needed',
    ),
    runpod_worker: field(
      nullable(choice('vllm', 'vllm_inference', 'sglang')),
      null,
      'what a RunPod endpoint runs, for server_type runpod',
    ),
    tokenizer_name: field(
      nullable(text('Qwen/Qwen3-4B')),
      null,
      'as env.tokenizer_name, which wins; none: by the model',
    ),
    timeout: field(decimal(0.001), 1200, 'seconds of one request'),
    num_max_requests_at_once: field(integer(1), 512, 'requests at a time'),
    health_check: field(flag(), true, 'ask before the run whether the server is there'),
    streaming: field(flag(), true, 'take answers as they come'),
    max_attempts: field(integer(1), 3, 'requests of one model call, the first included'),
    retry_delay: field(
      decimal(0),
      0.5,
      'seconds before the second request of a call; doubles with each',
    ),
    stall_timeout: field(
      decimal(0.001),
      120,
      'seconds that a stream which has begun may be silent',
    ),
    context_tokens: field(
      nullable(integer(1)),
      null,
      'tokens that the model can hold; null: not known',
    ),
    stream_usage: field(flag(), true, 'false for servers that refuse stream_options'),
    max_tokens_field: field(
      nullable(choice('max_tokens', 'max_completion_tokens')),
      null,
      'how the server calls the limit; null: as its host wants it',
    ),
    reasoning_field: field(
      choice('reasoning_content', 'reasoning', 'none'),
      'reasoning_content',
      'where earlier reasoning goes back to the server',
    ),
    headers: field(nullable(textMap('{ x-team: evals }')), null, 'headers of each request'),
    price: field(
      nullable(price()),
      null,
      'USD a million tokens: input, output, cached_input, cache_write',
    ),
    num_requests_for_eval: unread(integer(1), 64, 'requests at a time in an evaluation'),
    rolling_buffer_length: unread(integer(1), 1_000, 'requests that statistics are made of'),
    n_kwarg_is_ignored: unread(
      flag(),
      false,
      'the server answers once, however many are asked for',
    ),
  },
  (values) => ({
    baseUrl: values.base_url,
    apiKey: values.api_key,
    apiKeyVariable: values.api_key_env,
    modelName: values.model_name,
    serverType: values.server_type,
    runpodWorker: values.runpod_worker,
    tokenizerName: values.tokenizer_name,
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
  }),
);
