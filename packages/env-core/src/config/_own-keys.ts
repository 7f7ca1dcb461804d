import type { JsonObject, JsonValue } from '@hermes/protocol';
import type { ConfigSchema, SchemaResult } from '../environment.ts';
import { asNumber } from './_kinds.ts';
import { type ParsedSection, shown } from './_parse-fields.ts';
import { redacted } from './_redact.ts';
import { unknownKey } from './_unknown-key.ts';
import { isMap, type Traced, valuesOf } from './value-source.ts';

/** Reads what section `env` holds beside the general keys, by the environment's own schema. */
export async function parseOwnKeys(
  given: Traced,
  schema: ConfigSchema<unknown> | undefined,
  baseKeys: readonly string[],
): Promise<ParsedSection<unknown>> {
  const shape = schema === undefined ? [] : schemaKeys(schema);
  const isKnown = (key: string) => shape === null || shape.includes(ownName(key, shape));
  const unknown = Object.keys(given).filter((key) => !isKnown(key));
  const valid = [...baseKeys, ...(shape ?? []).map(snakeCase)];
  const problems = unknown.map((key) => unknownKey('env', key, valid));
  const known = Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => isKnown(key))
      .map(([key, value]) => [ownName(key, shape), value]),
  );
  if (schema === undefined) return { settings: null, problems, dump: {} };
  const values = valuesOf(known);
  const result = await validate(schema, known);
  return {
    settings: 'value' in result ? result.value : null,
    problems: [...problems, ...(result.issues ?? []).map((issue) => describe(issue, values))],
    dump: redacted('value' in result && isMap(result.value) ? inSnakeCase(result.value) : values),
  };
}

/** What the schema made of the values, its defaults among them, under the names of a file. */
function inSnakeCase(value: JsonObject): JsonObject {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [snakeCase(name), member]));
}

/** Values are given to the schema as they are; where it refuses one, a text as what YAML reads in it, a number or the like as the word in the file. */
async function validate(
  schema: ConfigSchema<unknown>,
  given: Traced,
): Promise<SchemaResult<unknown>> {
  const values = valuesOf(given);
  const first = await schema['~standard'].validate(values);
  const refused = new Set((first.issues ?? []).map((issue) => keyOf(issue.path?.[0])));
  const read = Object.entries(given).map(([name, { value, word }]) => {
    if (!refused.has(name)) return [name, value] as const;
    return [name, typeof value === 'string' ? asNumber(value) : (word ?? value)] as const;
  });
  if (read.every(([name, value]) => values[name] === value)) return first;
  return schema['~standard'].validate(Object.fromEntries(read));
}

/** The names that a schema knows; null for one that does not tell. */
export function schemaKeys(schema: ConfigSchema<unknown>): readonly string[] | null {
  const { shape } = schema as { readonly shape?: unknown };
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : null;
}

/** The schema's own spelling of a key: as it is, or in camelCase. */
function ownName(key: string, shape: readonly string[] | null): string {
  if (shape?.includes(key)) return key;
  const camel = key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
  return shape === null || shape.includes(camel) ? camel : key;
}

/** As a key is written in YAML and flags. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Issue = NonNullable<SchemaResult<unknown>['issues']>[number];

/** The schema's own words, and the value that it refused. */
function describe(issue: Issue, given: JsonObject): string {
  const names = (issue.path ?? []).map(keyOf);
  const place = ['env', ...names.map(snakeCase)].join('.');
  const value = names.reduce(memberOf, given);
  if (value === undefined && issue.message.endsWith('received undefined'))
    return `${place}: a value is needed`;
  const found = value === undefined || value === given ? '' : ` (found ${shown(names[0], value)})`;
  return `${place}: ${issue.message}${found}`;
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function keyOf(part: NonNullable<Issue['path']>[number] | undefined): string {
  return String(typeof part === 'object' ? part.key : (part ?? ''));
}
