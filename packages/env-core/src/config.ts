import type { JsonObject, JsonValue } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { ResourceLimits } from '@hermes/sandbox';
import { readConfigFile } from './_config-file.ts';
import { type ConfigOverride, mergeDeep, withOverrides } from './_config-merge.ts';
import { optionsOf } from './_config-options.ts';
import { parseOwnKeys } from './_config-own-keys.ts';
import { envKeys, parseEnv, parseServer } from './_config-sections.ts';
import { redacted } from './_parse-fields.ts';
import type { ConfigSchema } from './environment.ts';
import type { ModelPrice, RunOptions } from './run-options.ts';

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

/** Where a configuration comes from, the weakest first: defaults, file, overrides. */
export type ConfigSource = Readonly<{
  /** What an environment or benchmark sets beside the general defaults. */
  defaults?: Readonly<{ env?: JsonObject; openai?: JsonObject | readonly JsonObject[] }>;
  /** A YAML file with the sections `env` and `openai`. */
  file?: string;
  /** One value each, text or data, for example from flags. key may name a place inside a map: `extra_body.top_k`. */
  overrides?: readonly ConfigOverride[];
  /** The environment's own configuration: its keys stand in section `env` too, in snake_case or as the schema writes them. */
  environment?: ConfigSchema<unknown>;
  /** Keys of section `env` that the caller reads itself, for example those of sandbox providers. */
  furtherKeys?: readonly string[];
}>;

/** A configuration that was read and checked. */
export type RunConfig = Readonly<{
  env: EnvSettings;
  servers: readonly ServerSettings[];
  /** The environment's own configuration as its schema returned it; null without a schema. */
  environment: unknown;
  /** What was given under `furtherKeys`, unchecked: data of the file, or text of a flag. */
  further: JsonObject;
  /** The same for `evaluate`, ready to be spread into its options. */
  options: ConfiguredOptions;
  /** All values under their names in the file, secrets redacted. */
  dump: JsonObject;
  /** Keys that were accepted and have no effect. */
  notices: readonly string[];
}>;

/** What a configuration decides of the options of a run. */
export type ConfiguredOptions = Pick<RunOptions<never>, 'sampling'> &
  Partial<
    Pick<
      RunOptions<never>,
      | 'systemPrompt'
      | 'extraBody'
      | 'limits'
      | 'toolLimits'
      | 'scheduler'
      | 'sandboxDefaults'
      | 'retry'
    >
  >;

/**
 * Reads and checks a configuration. Throws a HermesError `config` whose message names the place of
 * everything that is wrong: an unknown key with the nearest one and the valid ones, a bad value with
 * what was expected, a YAML mistake with its line.
 */
export async function loadRunConfig(source: ConfigSource = {}): Promise<RunConfig> {
  const file = source.file === undefined ? EMPTY : await readConfigFile(source.file);
  const merged = withOverrides(
    {
      env: mergeDeep(source.defaults?.env ?? {}, file.env),
      openai: file.openai ?? serverList(source.defaults?.openai),
    },
    source.overrides ?? [],
  );
  const { furtherKeys = [] } = source;
  const [base, others] = splitKeys(merged.env, envKeys);
  const [further, own] = splitKeys(others, furtherKeys);
  const env = parseEnv(base);
  const environment = await parseOwnKeys(own, source.environment, [...envKeys, ...furtherKeys]);
  const servers = merged.openai.map((given, index) =>
    parseServer(merged.openai.length === 1 ? 'openai' : `openai.${index}`, given),
  );
  const sections = [env, environment, ...servers];
  const conflicts = [...merged.problems, ...toolsetConflict(env.settings)];
  refuse(source.file, [...conflicts, ...sections.flatMap((section) => section.problems)]);
  return {
    env: env.settings,
    servers: servers.map((server) => server.settings),
    environment: environment.settings,
    further,
    options: optionsOf(env.settings),
    dump: {
      env: { ...env.dump, ...redacted(further), ...environment.dump },
      openai: servers.map((server) => server.dump),
    },
    notices: [...file.notices, ...sections.flatMap((section) => section.notices)],
  };
}

const EMPTY = { env: {}, openai: null, notices: [] };

function serverList(
  servers: JsonObject | readonly JsonObject[] | undefined,
): readonly JsonObject[] {
  if (servers === undefined) return [{}];
  return Array.isArray(servers) ? servers : [servers as JsonObject];
}

/** Those under the names, and the rest. */
function splitKeys(given: JsonObject, names: readonly string[]): readonly [JsonObject, JsonObject] {
  const entries = Object.entries(given);
  const isNamed = ([name]: readonly [string, JsonValue]) => names.includes(name);
  return [
    Object.fromEntries(entries.filter(isNamed)),
    Object.fromEntries(entries.filter((entry) => !isNamed(entry))),
  ];
}

function toolsetConflict(env: EnvSettings): readonly string[] {
  if (env.enabledToolsets === null || env.distribution === null) return [];
  return ['env.distribution: cannot stand beside env.enabled_toolsets; keep one of them'];
}

function refuse(file: string | undefined, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const where = file === undefined ? 'The configuration' : `The configuration ${file}`;
  const message = problems.length === 1 ? ` ${problems[0]}` : `\n  ${problems.join('\n  ')}`;
  throw new HermesError('config', 'CONFIG', `${where} is wrong:${message}`, {
    details: { problems },
  });
}
