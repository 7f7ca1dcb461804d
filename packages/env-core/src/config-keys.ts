import { schemaKeys, snakeCase } from './_config-own-keys.ts';
import { envFieldList } from './_config-sections.ts';
import type { ConfigSchema } from './environment.ts';

/** One key that section `env` knows for every environment. */
export type GeneralConfigKey = Readonly<{
  key: string;
  /** In force where the key is not given. */
  default: unknown;
  /** false: it is accepted and changes nothing in `evaluate`. */
  hasEffect: boolean;
}>;

/** The keys of section `env` that are there for every environment, in the order of the documentation. */
export function generalConfigKeys(): readonly GeneralConfigKey[] {
  return envFieldList();
}

/** The keys that an environment adds to section `env`, in snake_case; null where its schema does not tell. */
export function ownConfigKeys(schema: ConfigSchema<unknown>): readonly string[] | null {
  return schemaKeys(schema)?.map(snakeCase) ?? null;
}
