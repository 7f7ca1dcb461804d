import type { JsonObject, JsonValue } from '@hermes/protocol';
import { scalar } from './_config-values.ts';

/**
 * One value from outside the file. section: `env` or `openai`. each: it holds for all servers, where there are several; without it one that
 * cannot be told is refused. A list of `base_url`s makes one server of each, alike in all else.
 */
export type ConfigOverride = Readonly<{
  section: string;
  key: string;
  value: JsonValue;
  each?: boolean;
}>;

/** The sections before they are parsed. */
export type RawConfig = Readonly<{ env: JsonObject; openai: readonly JsonObject[] }>;

/** Maps are merged, everything else is replaced. */
export function mergeDeep(weak: JsonObject, strong: JsonObject): JsonObject {
  const merged = Object.entries(strong).map(([name, value]) => {
    const below = weak[name];
    return [name, isMap(below) && isMap(value) ? mergeDeep(below, value) : value] as const;
  });
  return { ...weak, ...Object.fromEntries(merged) };
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
    const servers = section === 'openai' ? serversWith(openai, override) : null;
    if (section === 'env') env = mergeDeep(env, nested(key, typed(key, value)));
    else if (servers !== null) openai = servers;
    else problems.push(misplaced(section, key, openai.length));
  }
  return { env, openai, problems };
}

/** null: which server is meant cannot be told. */
function serversWith(
  servers: readonly JsonObject[],
  { key, value, each = false }: ConfigOverride,
): readonly JsonObject[] | null {
  const [first] = servers;
  if (key === 'base_url' && isList(value)) {
    if (servers.length === value.length)
      return servers.map((server, index) => ({ ...server, base_url: value[index] ?? null }));
    return servers.length === 1 ? value.map((url) => ({ ...first, base_url: url })) : null;
  }
  if (servers.length !== 1 && !each) return null;
  return servers.map((server) => mergeDeep(server, nested(key, value)));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether a value is a map. */
export function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
