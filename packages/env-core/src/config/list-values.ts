import type { JsonObject, JsonValue } from '@hermes/protocol';
import type { RawConfig } from './_layers.ts';
import { snakeCase } from './_own-keys.ts';
import type { Traced, ValueSource } from './value-source.ts';

/** One value that holds. path: `env.max_agent_turns`, `openai.timeout`, of several servers `openai.1.timeout`. */
export type ConfigValue = Readonly<{
  path: string;
  /** Secrets are redacted. */
  value: JsonValue;
  /** The weakest first; several where layers fill one map. */
  sources: readonly ValueSource[];
}>;

const DEFAULT: ValueSource = { kind: 'default', name: 'default' };

/** The values of a dump with the sources of each. */
export function listValues(raw: RawConfig, dump: JsonObject): readonly ConfigValue[] {
  const { env, openai } = dump as { env: JsonObject; openai: readonly JsonObject[] };
  const servers = openai.flatMap((server, index) =>
    listed(openai.length === 1 ? 'openai' : `openai.${index}`, server, raw.openai[index] ?? {}),
  );
  return [...listed('env', env, raw.env), ...servers];
}

function listed(section: string, values: JsonObject, given: Traced): readonly ConfigValue[] {
  const bySnake = new Map(Object.entries(given).map(([name, value]) => [snakeCase(name), value]));
  return Object.entries(values).map(([name, value]) => {
    const { sources } = given[name] ?? bySnake.get(name) ?? { sources: [DEFAULT] };
    return { path: `${section}.${name}`, value, sources };
  });
}
