import type { JsonObject, JsonValue } from '@hermes/protocol';
import { withoutAliases } from './_aliases.ts';
import { scalar } from './_kinds.ts';
import { layered, type Trace, type Traced, type ValueSource } from './value-source.ts';

/**
 * One value from outside the file. section: `env` or `openai`. each: it holds for all servers, where there are several; without it one that
 * cannot be told is refused. A list of `base_url`s makes one server of each, alike in all else.
 */
export type ConfigOverride = Readonly<{
  section: string;
  key: string;
  value: JsonValue;
  each?: boolean;
  /** How people gave it, for example `--max-turns`. Default: `--SECTION.KEY`. */
  flag?: string;
}>;

/** Values of both sections from one place. source: of all, or of each key. */
export type ConfigLayer = ConfigValues &
  Readonly<{ source: ValueSource | ((key: string) => ValueSource) }>;

/** Values of both sections under their names in a file. */
export type ConfigValues = Readonly<{
  env?: JsonObject;
  openai?: JsonObject | readonly JsonObject[];
}>;

/** The same with what is known of each key. server: its index. */
export type TracedLayer = ConfigValues &
  Readonly<{ traceEnv: Trace; traceServer: (server: number) => Trace }>;

/** The sections before they are parsed. */
export type RawConfig = Readonly<{ env: Traced; openai: readonly Traced[] }>;

/** What is there before anybody says anything. */
export const nothingGiven: RawConfig = { env: {}, openai: [{}] };

/** A layer whose keys are known by their source alone. */
export function traced({ source, ...values }: ConfigLayer): TracedLayer {
  const trace: Trace = (key) => ({ source: typeof source === 'function' ? source(key) : source });
  return { ...values, traceEnv: trace, traceServer: () => trace };
}

/** Puts a layer over the weaker ones. A list of servers takes the place of those below; a single one is merged into each. */
export function withLayer(raw: RawConfig, layer: TracedLayer): RawConfig {
  const { env = {}, openai, traceEnv } = layer;
  return {
    env: layered(raw.env, withoutAliases(env), traceEnv),
    openai: openai === undefined ? raw.openai : serversOver(raw.openai, openai, layer.traceServer),
  };
}

function serversOver(
  below: readonly Traced[],
  given: JsonObject | readonly JsonObject[],
  trace: TracedLayer['traceServer'],
): readonly Traced[] {
  const servers = isList(given) ? given : [given];
  const [single, second] = servers;
  if (second === undefined && single !== undefined)
    return below.map((server) => layered(server, single, trace(0)));
  return servers.map((server, index) => layered({}, server, trace(index)));
}

function isList(value: JsonObject | readonly JsonObject[]): value is readonly JsonObject[] {
  return Array.isArray(value);
}

/** Puts each override in its place. */
export function withOverrides(
  raw: RawConfig,
  overrides: readonly ConfigOverride[],
): RawConfig & { readonly problems: readonly string[] } {
  let { env, openai } = raw;
  const problems: string[] = [];
  for (const override of overrides) {
    const { section, key, value } = override;
    const source = sourceOf(override);
    const servers = section === 'openai' ? serversWith(openai, override) : null;
    if (section === 'env')
      env = layered(env, withoutAliases(nested(key, typed(key, value))), () => ({ source }));
    else if (servers !== null) openai = servers;
    else problems.push(misplaced(section, key, openai.length));
  }
  return { env, openai, problems };
}

function sourceOf({ section, key, flag }: ConfigOverride): ValueSource {
  return { kind: 'flag', name: flag ?? `--${section}.${key}` };
}

/** null: which server is meant cannot be told. */
function serversWith(
  servers: readonly Traced[],
  override: ConfigOverride,
): readonly Traced[] | null {
  const { key, value, each = false } = override;
  const [first = {}] = servers;
  const set = (server: Traced, name: string, found: JsonValue): Traced =>
    layered(server, nested(name, found), () => ({ source: sourceOf(override) }));
  if (key === 'base_url' && Array.isArray(value)) {
    const urls: readonly JsonValue[] = value;
    if (servers.length === urls.length)
      return servers.map((server, index) => set(server, key, urls[index] ?? null));
    return servers.length === 1 ? urls.map((url) => set(first, key, url)) : null;
  }
  if (servers.length !== 1 && !each) return null;
  return servers.map((server) => set(server, key, value));
}

/** Inside a map that no schema of ours knows, a text is what YAML reads in it; everywhere else the field decides. */
function typed(key: string, value: JsonValue): JsonValue {
  return /^(sandbox|extra_body)\./.test(key) ? (scalar(value) as JsonValue) : value;
}

function nested(key: string, value: JsonValue): JsonObject {
  const [first = key, ...rest] = key.split('.');
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

function misplaced(section: string, key: string, servers: number): string {
  if (section === 'openai')
    return `openai.${key}: the configuration has ${servers} servers, so none is meant; set it in the file`;
  return `${section}.${key}: unknown section. Valid: env, openai`;
}
