import type { JsonObject } from '@hermes/protocol';
import type { ResourceLimits } from '@hermes/sandbox';
import type { ENV_FIELDS } from './_env-keys.ts';
import type { Values } from './_parse-fields.ts';

/** Section `env`: what holds for every environment. */
export type EnvSettings = Readonly<{
  enabledToolsets: readonly string[] | null;
  disabledToolsets: readonly string[] | null;
  distribution: string | null;
  maxAgentTurns: number;
  systemPrompt: string | null;
  /** null = not sent. So with all that follow, up to the budgets. */
  agentTemperature: number | null;
  maxTokenLength: number | null;
  topP: number | null;
  topK: number | null;
  minP: number | null;
  samplingSeed: number | null;
  stop: readonly string[] | null;
  frequencyPenalty: number | null;
  presencePenalty: number | null;
  repetitionPenalty: number | null;
  /** Budgets of one rollout; null = none. */
  maxTotalTokens: number | null;
  maxOutputTokens: number | null;
  maxCostUsd: number | null;
  /** The agent's own time; what it did until then is verified. */
  agentTimeoutMs: number | null;
  /** Of the whole rollout; beyond it is errored. */
  rolloutTimeoutMs: number | null;
  /** Tries of a trial that an infrastructure failure ended. */
  maxTries: number;
  /** Rollouts at a time; null = as the command has it. */
  concurrency: number | null;
  extraBody: JsonObject | null;
  terminalBackend: string;
  /** Key `sandbox`: the provider's own settings, unchecked; null = none. */
  sandboxSettings: JsonObject | null;
  /** false: also what isolates nothing may run what a model writes. */
  requireSandbox: boolean;
  /** Keys `container_*`: limits of sandboxes whose item has none of its own. */
  containerLimits: Pick<ResourceLimits, 'cpus' | 'memoryBytes' | 'diskBytes'>;
  terminalTimeoutMs: number;
  /** The longest time that a model may ask for a command. */
  maxForegroundMs: number;
  terminalIdleMs: number;
  toolPoolSize: number;
  /** Reads tool calls out of plain text; null = the server reads them. */
  toolCallParser: string | null;
  resultChars: number;
  turnChars: number;
  previewChars: number;
  toolResultOverrides: Readonly<Record<string, number>> | null;
  datasetName: string | null;
  datasetSplit: string;
  promptField: string;
}>;

/** The values of section `env` as they are used. */
export function toEnvSettings(values: Values<typeof ENV_FIELDS>): EnvSettings {
  return {
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
    concurrency: values.concurrency === 0 ? null : values.concurrency,
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
