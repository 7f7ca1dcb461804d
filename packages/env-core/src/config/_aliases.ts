import type { JsonObject } from '@hermes/protocol';

/** Keys of older configurations and the key of section `env` that each stands for; of several in one place the last of this list counts. */
export const KEY_ALIASES: Readonly<Record<string, string>> = {
  eval_concurrency: 'concurrency',
  max_concurrent_tasks: 'concurrency',
};

/** The same values under the names of today. A key that stands there under its own name wins over its aliases. */
export function withoutAliases(env: JsonObject): JsonObject {
  const order = Object.keys(KEY_ALIASES);
  const renamed = Object.entries(env)
    .filter(([name]) => Object.hasOwn(KEY_ALIASES, name))
    .sort(([first], [second]) => order.indexOf(first) - order.indexOf(second))
    .map(([name, value]) => [KEY_ALIASES[name] ?? name, value] as const);
  const others = Object.entries(env).filter(([name]) => !Object.hasOwn(KEY_ALIASES, name));
  return Object.fromEntries([...renamed, ...others]);
}

/** The aliases among the names, for a notice. */
export function aliasesIn(names: readonly string[]): readonly string[] {
  return names.filter((name) => Object.hasOwn(KEY_ALIASES, name));
}
