import { z } from 'zod';
import type { ConfigSchema } from '../environment.ts';
import { schemaKeys, snakeCase } from './_own-keys.ts';

/** What a schema tells of a key that an environment adds to section `env`. */
export type OwnConfigKey = Readonly<{
  /** In snake_case. */
  key: string;
  /** null: the schema does not tell. So with all that follow. */
  type: string | null;
  default: unknown;
  meaning: string | null;
}>;

/** The keys that an environment adds to section `env`, with what their schema tells; [] where it tells nothing. Only a zod schema tells types. */
export function explainOwnKeys(schema: ConfigSchema<unknown>): readonly OwnConfigKey[] {
  const members = membersOf(schema);
  return (schemaKeys(schema) ?? []).map((name) => {
    const member = members[name] ?? {};
    const { default: fallback = null, description = null } = member;
    return { key: snakeCase(name), type: typeOf(member), default: fallback, meaning: description };
  });
}

type Member = Readonly<{
  type?: unknown;
  anyOf?: readonly Readonly<{ type?: unknown }>[];
  default?: unknown;
  description?: string;
}>;

function membersOf(schema: ConfigSchema<unknown>): Readonly<Record<string, Member>> {
  if (!('_zod' in schema)) return {};
  const options = { io: 'input', unrepresentable: 'any' } as const;
  const { properties = {} } = z.toJSONSchema(schema as unknown as z.ZodType, options);
  return properties as Readonly<Record<string, Member>>;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** Of alternatives only a type and null can be told in a few words. */
function typeOf({ type, anyOf = [] }: Member): string | null {
  const others = anyOf.filter((one) => one.type !== 'null');
  const isNullable = others.length === 1 && anyOf.length === 2;
  const name = TYPES[String(isNullable ? others[0]?.type : type)] ?? null;
  return isNullable && name !== null ? `${name}, or null` : name;
}
