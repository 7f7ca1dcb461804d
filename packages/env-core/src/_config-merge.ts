import type { JsonObject, JsonValue } from '@hermes/protocol';
import { scalar } from './_config-values.ts';

/** One value from outside the file. section: `env` or `openai`. */
export type ConfigOverride = Readonly<{ section: string; key: string; value: JsonValue }>;

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

/** Puts each override in its place. A server is meant only where there is one. */
export function withOverrides(
  raw: RawConfig,
  overrides: readonly ConfigOverride[],
): RawConfig & { readonly problems: readonly string[] } {
  let { env, openai } = raw;
  const problems: string[] = [];
  for (const { section, key, value } of overrides) {
    const [only] = openai;
    if (section === 'env') env = mergeDeep(env, nested(key, typed(key, value)));
    else if (section === 'openai' && openai.length === 1 && only)
      openai = [mergeDeep(only, nested(key, value))];
    else problems.push(misplaced(section, key, openai.length));
  }
  return { env, openai, problems };
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
