import type { JsonObject, JsonValue } from '@hermes/protocol';
import { isMap } from './_config-merge.ts';
import { scalar } from './_config-values.ts';
import { type ParsedSection, redacted, shown, unknownKey } from './_parse-fields.ts';
import type { ConfigSchema, SchemaResult } from './environment.ts';

/** Reads what section `env` holds beside the general keys, by the environment's own schema. */
export async function parseOwnKeys(
  given: JsonObject,
  schema: ConfigSchema<unknown> | undefined,
  baseKeys: readonly string[],
): Promise<ParsedSection<unknown>> {
  const shape = schema === undefined ? [] : schemaKeys(schema);
  const named = Object.entries(given).map(([key, value]) => [ownName(key, shape), value] as const);
  const unknown = shape === null ? [] : named.filter(([name]) => !shape.includes(name));
  const valid = [...baseKeys, ...(shape ?? []).map(snakeCase)];
  const problems = unknown.map(([name]) => unknownKey('env', snakeCase(name), valid));
  const known = Object.fromEntries(named.filter((entry) => !unknown.includes(entry)));
  if (schema === undefined) return { settings: null, problems, notices: [], dump: {} };
  const result = await validate(schema, known);
  return {
    settings: 'value' in result ? result.value : null,
    problems: [...problems, ...(result.issues ?? []).map((issue) => describe(issue, known))],
    notices: [],
    dump: redacted(known),
  };
}

/** Texts from flags are given to the schema as they are; where it refuses one, as the value that YAML reads in it. */
async function validate(
  schema: ConfigSchema<unknown>,
  given: JsonObject,
): Promise<SchemaResult<unknown>> {
  const first = await schema['~standard'].validate(given);
  const refused = new Set((first.issues ?? []).map((issue) => keyOf(issue.path?.[0])));
  const entries = Object.entries(given);
  if (!entries.some(([name, value]) => refused.has(name) && typeof value === 'string'))
    return first;
  const read = entries.map(([name, value]) => [name, refused.has(name) ? scalar(value) : value]);
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
