import type { JsonObject } from '@hermes/protocol';
import {
  between,
  choice,
  counts,
  decimal,
  field,
  flag,
  integer,
  list,
  nullable,
  object,
  price,
  text,
  textMap,
  texts,
  unused,
} from './_config-values.ts';
import { type ParsedSection, parseFields } from './_parse-fields.ts';
import type { EnvSettings, ServerSettings } from './config.ts';

/** Section `env`. A new key is a line here, and a line in `toEnvSettings` once something uses it. */
const ENV_FIELDS = {
  enabled_toolsets: field(nullable(list()), null),
  disabled_toolsets: field(nullable(list()), null),
  distribution: field(nullable(text()), null),
  max_agent_turns: field(integer(1), 30),
  system_prompt: field(nullable(text('Be brief.')), null),
  agent_temperature: field(nullable(decimal(0)), 1),
  max_token_length: field(nullable(integer(1)), 2048),
  top_p: field(nullable(between(0, 1, '0.95')), null),
  top_k: field(nullable(integer(-1)), null),
  min_p: field(nullable(between(0, 1, '0.05')), null),
  sampling_seed: field(nullable(integer()), null),
  stop: field(nullable(texts('["</answer>"]')), null),
  frequency_penalty: field(nullable(between(-2, 2, '0.5')), null),
  presence_penalty: field(nullable(between(-2, 2, '0.5')), null),
  repetition_penalty: field(nullable(decimal(0)), null),
  max_total_tokens: field(nullable(integer(1)), null),
  max_output_tokens: field(nullable(integer(1)), null),
  max_cost: field(nullable(decimal(0)), null),
  agent_timeout: field(nullable(decimal(0.001)), null),
  rollout_timeout: field(nullable(decimal(0.001)), null),
  max_tries: field(integer(1), 3),
  extra_body: field(nullable(object('{ top_k: 20 }')), null),
  terminal_backend: field(text('local'), 'local'),
  sandbox: field(nullable(object('{ rootDir: /var/tmp/boxes }')), null),
  require_sandbox: field(flag(), true),
  container_cpu: field(nullable(decimal(0.001)), null),
  container_memory: field(nullable(decimal(1)), null),
  container_disk: field(nullable(decimal(1)), null),
  terminal_timeout: field(decimal(1), 120),
  terminal_max_foreground_timeout: field(decimal(1), 600),
  terminal_lifetime: field(decimal(1), 3600),
  tool_pool_size: field(integer(1), 128),
  tool_call_parser: field(nullable(text('hermes')), null),
  default_result_size_chars: field(integer(1), 100_000),
  turn_budget_chars: field(integer(1), 200_000),
  preview_size_chars: field(integer(0), 1_500),
  tool_result_overrides: field(nullable(counts()), null),
  dataset_name: field(nullable(text()), null),
  dataset_split: field(text(), 'train'),
  prompt_field: field(text(), 'prompt'),
  terminal_cwd: unused(nullable(text('/app')), null),
  container_persistent: unused(flag(), false),
  group_size: unused(integer(1), 4),
  max_num_workers: unused(integer(), -1),
  max_eval_workers: unused(integer(1), 16),
  max_num_workers_per_node: unused(integer(1), 8),
  steps_per_eval: unused(integer(1), 100),
  eval_handling: unused(choice('STOP_TRAIN', 'LIMIT_TRAIN', 'NONE'), 'STOP_TRAIN'),
  eval_limit_ratio: unused(decimal(0), 0.5),
  inference_weight: unused(decimal(0), 1),
  batch_size: unused(integer(), -1),
  max_batches_offpolicy: unused(integer(0), 3),
  tokenizer_name: unused(text(), 'NousResearch/DeepHermes-3-Llama-3-3B-Preview'),
  use_wandb: unused(flag(), true),
  rollout_server_url: unused(text(), 'http://localhost:8000'),
  total_steps: unused(integer(1), 1_000),
  wandb_name: unused(nullable(text()), null),
  num_rollouts_to_keep: unused(integer(0), 32),
  num_rollouts_per_group_for_logging: unused(integer(-1), 1),
  ensure_scores_are_not_same: unused(flag(), true),
  data_path_to_save_groups: unused(nullable(text()), null),
  data_dir_to_save_evals: unused(nullable(text()), null),
  min_items_sent_before_logging: unused(integer(0), 2),
  include_messages: unused(flag(), false),
  min_batch_allocation: unused(nullable(decimal(0)), null),
  worker_timeout: unused(decimal(-1), 600),
  thinking_mode: unused(flag(), false),
  reasoning_effort: unused(nullable(text()), null),
  max_reasoning_tokens: unused(nullable(integer(1)), null),
  custom_thinking_prompt: unused(nullable(text()), null),
};

/** Section `openai`, one server. */
const SERVER_FIELDS = {
  base_url: field(text('http://127.0.0.1:8000/v1'), ''),
  api_key: field(text(), ''),
  api_key_env: field(nullable(text('MY_KEY')), null),
  model_name: field(text(), 'default'),
  server_type: field(choice('openai', 'trl', 'sglang', 'vllm'), 'openai'),
  timeout: field(decimal(0.001), 1200),
  num_max_requests_at_once: field(integer(1), 512),
  health_check: field(flag(), true),
  streaming: field(flag(), true),
  max_attempts: field(integer(1), 3),
  retry_delay: field(decimal(0), 0.5),
  stall_timeout: field(decimal(0.001), 120),
  context_tokens: field(nullable(integer(1)), null),
  stream_usage: field(flag(), true),
  max_tokens_field: field(nullable(choice('max_tokens', 'max_completion_tokens')), null),
  reasoning_field: field(choice('reasoning_content', 'reasoning', 'none'), 'reasoning_content'),
  headers: field(nullable(textMap('{ x-team: evals }')), null),
  price: field(nullable(price()), null),
  num_requests_for_eval: unused(integer(1), 64),
  rolling_buffer_length: unused(integer(1), 1_000),
  tokenizer_name: unused(text(), 'none'),
  n_kwarg_is_ignored: unused(flag(), false),
};

/** Settings that are read for callers of `loadRunConfig`; `evaluate` itself does not look at them. */
const FOR_CALLERS: readonly string[] = ['dataset_name', 'dataset_split', 'prompt_field'];

/** Each key of section `env` with its default, and whether `evaluate` does anything with it. */
export function envFieldList(): readonly Readonly<{
  key: string;
  default: unknown;
  hasEffect: boolean;
}>[] {
  return Object.entries(ENV_FIELDS).map(([key, { fallback, used }]) => ({
    key,
    default: fallback,
    hasEffect: used && !FOR_CALLERS.includes(key),
  }));
}

/** The names that section `env` knows by itself. */
export const envKeys: readonly string[] = Object.keys(ENV_FIELDS);

/** Reads section `env` without the environment's own keys. */
export function parseEnv(given: JsonObject): ParsedSection<EnvSettings> {
  const { values, ...rest } = parseFields('env', ENV_FIELDS, given);
  const settings: EnvSettings = {
    enabledToolsets: values.enabled_toolsets,
    disabledToolsets: values.disabled_toolsets,
    distribution: values.distribution,
    maxAgentTurns: values.max_agent_turns,
    systemPrompt: values.system_prompt,
    agentTemperature: values.agent_temperature,
    maxTokenLength: values.max_token_length,
    topP: values.top_p,
    topK: values.top_k,
    minP: values.min_p,
    samplingSeed: values.sampling_seed,
    stop: values.stop,
    frequencyPenalty: values.frequency_penalty,
    presencePenalty: values.presence_penalty,
    repetitionPenalty: values.repetition_penalty,
    maxTotalTokens: values.max_total_tokens,
    maxOutputTokens: values.max_output_tokens,
    maxCostUsd: values.max_cost,
    agentTimeoutMs: inMs(values.agent_timeout),
    rolloutTimeoutMs: inMs(values.rollout_timeout),
    maxTries: values.max_tries,
    extraBody: values.extra_body,
    terminalBackend: values.terminal_backend,
    sandboxSettings: values.sandbox,
    requireSandbox: values.require_sandbox,
    containerLimits: limitsOf(values),
    terminalTimeoutMs: values.terminal_timeout * 1000,
    maxForegroundMs: values.terminal_max_foreground_timeout * 1000,
    terminalIdleMs: values.terminal_lifetime * 1000,
    toolPoolSize: values.tool_pool_size,
    toolCallParser: values.tool_call_parser,
    resultChars: values.default_result_size_chars,
    turnChars: values.turn_budget_chars,
    previewChars: values.preview_size_chars,
    toolResultOverrides: values.tool_result_overrides,
    datasetName: values.dataset_name,
    datasetSplit: values.dataset_split,
    promptField: values.prompt_field,
  };
  const idle = FOR_CALLERS.filter((key) => key in given);
  const notices = [...rest.notices, ...idle.map((key) => `env.${key} has no effect here`)];
  return { settings, ...rest, notices };
}

/** Reads one server of section `openai`. path: how messages call it. */
export function parseServer(path: string, given: JsonObject): ParsedSection<ServerSettings> {
  const { values, ...rest } = parseFields(path, SERVER_FIELDS, given);
  const settings: ServerSettings = {
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
  return { settings, ...rest };
}

function inMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}

const MIB = 1024 * 1024;

function limitsOf(values: {
  readonly container_cpu: number | null;
  readonly container_memory: number | null;
  readonly container_disk: number | null;
}): EnvSettings['containerLimits'] {
  const { container_cpu: cpus, container_memory: memory, container_disk: disk } = values;
  return {
    ...(cpus === null ? {} : { cpus }),
    ...(memory === null ? {} : { memoryBytes: Math.round(memory * MIB) }),
    ...(disk === null ? {} : { diskBytes: Math.round(disk * MIB) }),
  };
}
