import { resolve } from 'node:path';
import type {
  ConfigOverride,
  EnvironmentDefinition,
  ItemFilter,
  RunConfig,
} from '@hermes/env-core';
import { loadRunConfig } from '@hermes/env-core';
import type { JsonObject, JsonValue } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import type { DottedFlag } from './dotted-flags.ts';
import { providerKeyNames } from './sandboxes/builtin-providers.ts';
import { envOfVariables } from './sandboxes/terminal-variables.ts';

/** The flags of `hermes evaluate` as they were given; what was not given is absent. */
export interface EvaluateFlags {
  readonly model?: string;
  readonly baseUrl?: readonly string[];
  readonly apiKeyEnv?: string;
  readonly parser?: string;
  readonly extraBody?: JsonObject;
  readonly requestTimeout?: number;
  readonly stream: boolean;
  readonly healthCheck: boolean;
  /** null: it is not sent. */
  readonly temperature?: number | null;
  readonly maxTokens?: number | null;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly samplingSeed?: number;
  readonly stop?: readonly string[];
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly repetitionPenalty?: number;
  readonly maxTurns?: number;
  readonly maxTotalTokens?: number;
  readonly maxOutputTokens?: number;
  readonly maxCost?: number;
  readonly agentTimeout?: number;
  readonly rolloutTimeout?: number;
  readonly maxTries?: number;
  readonly path?: string;
  readonly dataset?: string;
  readonly sandbox?: string;
  readonly attempts?: number;
  readonly concurrency?: number;
  readonly limit?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly tag?: readonly string[];
  readonly shuffle?: boolean;
  readonly seed?: number;
  readonly config?: string;
  readonly runDir?: string;
  readonly resume?: boolean;
  readonly retry?: readonly string[];
  readonly json?: boolean;
}

/** The defaults of the command, then variables, then the file, then the flags: dotted ones first, named ones last. */
export async function readConfig(
  definition: EnvironmentDefinition,
  flags: EvaluateFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
  defaults: JsonObject = {},
): Promise<RunConfig> {
  const from = context.workingDirectory;
  const file = flags.config === undefined ? {} : { file: resolve(from, flags.config) };
  return loadRunConfig({
    ...file,
    defaults: { env: { ...defaults, ...envOfVariables(context.environmentVariables) } },
    furtherKeys: providerKeyNames,
    overrides: [...dotted, ...envOverrides(flags, from), ...serverOverrides(flags)],
    environment: definition.config,
  });
}

/** Flags under another name than their key in section `env`; all others are the key in camelCase. */
function envOverrides(flags: EvaluateFlags, from: string): readonly ConfigOverride[] {
  const values: Readonly<Record<string, JsonValue | undefined>> = {
    path: flags.path === undefined ? undefined : resolve(from, flags.path),
    dataset: flags.dataset === undefined ? undefined : placeOfData(flags.dataset, from),
    terminal_backend: flags.sandbox,
    tool_call_parser: flags.parser,
    extra_body: flags.extraBody,
    agent_temperature: flags.temperature,
    max_token_length: flags.maxTokens,
    top_p: flags.topP,
    top_k: flags.topK,
    min_p: flags.minP,
    sampling_seed: flags.samplingSeed,
    stop: flags.stop,
    frequency_penalty: flags.frequencyPenalty,
    presence_penalty: flags.presencePenalty,
    repetition_penalty: flags.repetitionPenalty,
    max_agent_turns: flags.maxTurns,
    max_total_tokens: flags.maxTotalTokens,
    max_output_tokens: flags.maxOutputTokens,
    max_cost: flags.maxCost,
    agent_timeout: flags.agentTimeout,
    rollout_timeout: flags.rolloutTimeout,
    max_tries: flags.maxTries,
  };
  return overridesOf('env', values);
}

/** They hold for every server, where the file has several. */
function serverOverrides(flags: EvaluateFlags): readonly ConfigOverride[] {
  const [url, second] = flags.baseUrl ?? [];
  const values: Readonly<Record<string, JsonValue | undefined>> = {
    base_url: second === undefined ? url : flags.baseUrl,
    api_key_env: flags.apiKeyEnv,
    timeout: flags.requestTimeout,
    streaming: flags.stream ? undefined : false,
    health_check: flags.healthCheck ? undefined : false,
  };
  return overridesOf('openai', values).map((override) => ({ ...override, each: true }));
}

function overridesOf(
  section: string,
  values: Readonly<Record<string, JsonValue | undefined>>,
): readonly ConfigOverride[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ section, key, value }],
  );
}

/** A file or folder as seen from here; `builtin` and places on the hub (`hf://`) stay as they are. */
function placeOfData(dataset: string, from: string): string {
  return dataset === 'builtin' || /^[a-z]+:\/\//.test(dataset) ? dataset : resolve(from, dataset);
}

/** Which items the flags ask for. */
export function filterOf(flags: EvaluateFlags): ItemFilter {
  return {
    ...(flags.include === undefined ? {} : { include: flags.include }),
    ...(flags.exclude === undefined ? {} : { exclude: flags.exclude }),
    ...(flags.tag === undefined ? {} : { tags: Object.fromEntries(flags.tag.map(tagOf)) }),
    ...(flags.limit === undefined ? {} : { first: flags.limit }),
    ...(flags.shuffle === true ? { shuffle: true } : {}),
  };
}

function tagOf(text: string): readonly [string, string] {
  const [key = '', ...value] = text.split('=');
  if (key !== '' && value.length > 0) return [key, value.join('=')];
  throw new HermesError(
    'config',
    'CONFIG',
    `--tag ${text}: write key=value, for example --tag difficulty=easy`,
  );
}
