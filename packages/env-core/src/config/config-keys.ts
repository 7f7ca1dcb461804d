import type { ConfigSchema } from '../environment.ts';
import { KEY_ALIASES } from './_aliases.ts';
import type { ConfigFields } from './_fields.ts';
import { schemaKeys, snakeCase } from './_own-keys.ts';
import { wrongNamesOf } from './_wrong-names.ts';
import type { RunCommand } from './run-command.ts';
import { envFields, serverFields } from './sections.ts';

/** One key that a section knows for every environment. */
export type ConfigKey = Readonly<{
  section: 'env' | 'openai';
  key: string;
  meaning: string;
  /** What a value must be, in a few words. */
  type: string;
  /** A value as it is written in a file. */
  example: string;
  /** In force where the key is not given. */
  default: unknown;
  /** Commands on which it has an effect; the others accept it with a notice. */
  readers: readonly RunCommand[];
  /** Older names that are read as this key. */
  aliases: readonly string[];
  /** Names that others give it; they are refused with this one. */
  wrongNames: readonly string[];
}>;

/** The keys that are there for every environment, in the order of the documentation. */
export function configKeys(): readonly ConfigKey[] {
  return [...keysOf('env', envFields), ...keysOf('openai', serverFields)];
}

function keysOf(section: ConfigKey['section'], fields: ConfigFields): readonly ConfigKey[] {
  return Object.entries(fields).map(([key, field]) => {
    const { meaning, type, example, fallback, readers } = field;
    const aliases = section === 'env' ? aliasesOf(key) : [];
    const wrongNames = wrongNamesOf(`${section}.${key}`);
    return {
      section,
      key,
      meaning,
      type,
      example,
      default: fallback,
      readers,
      aliases,
      wrongNames,
    };
  });
}

function aliasesOf(key: string): readonly string[] {
  return Object.keys(KEY_ALIASES).filter((alias) => KEY_ALIASES[alias] === key);
}

/** The keys that an environment adds to section `env`, in snake_case; null where its schema does not tell. */
export function ownConfigKeys(schema: ConfigSchema<unknown>): readonly string[] | null {
  return schemaKeys(schema)?.map(snakeCase) ?? null;
}
