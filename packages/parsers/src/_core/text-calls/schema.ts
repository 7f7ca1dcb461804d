import type { ToolSchema } from '../../types.ts';

/** The JSON types that a parameter may have. */
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';

type Schema = Readonly<Record<string, unknown>>;

const prefixes: readonly (readonly [JsonType, readonly string[]])[] = [
  ['integer', ['int', 'uint', 'long', 'short', 'bigint']],
  ['number', ['num', 'float', 'double']],
  ['boolean', ['bool']],
  ['string', ['str', 'text', 'varchar', 'char', 'enum']],
  ['object', ['dict', 'map', 'object']],
  ['array', ['list', 'arr']],
  ['null', ['null']],
];

/** The parameter schema of a tool, or undefined. */
export function parametersOf(
  tools: readonly ToolSchema[] | undefined,
  name: string,
): Schema | undefined {
  return tools?.find((tool) => tool.function.name === name)?.function.parameters;
}

/** Names of the parameters in the order of their declaration. */
export function parameterNames(parameters: Schema | undefined): readonly string[] {
  return isSchema(parameters?.properties) ? Object.keys(parameters.properties) : [];
}

/** The types a parameter may have; null when nothing is known about it. */
export function typesOf(
  parameters: Schema | undefined,
  name: string,
): ReadonlySet<JsonType> | null {
  const properties = parameters?.properties;
  if (parameters === undefined || !isSchema(properties) || !Object.hasOwn(properties, name))
    return null;
  const schema = properties[name];
  const only = onlyTypes.get(onlyType(schema));
  if (only !== undefined) return only;
  const types = new Set<JsonType>();
  collect(schema, parameters, types, new Set());
  return types.size === 0 ? null : types;
}

/** The sets of a single type. */
const onlyTypes: ReadonlyMap<unknown, ReadonlySet<JsonType>> = new Map(
  prefixes.map(([type]) => [type, new Set([type])]),
);

/** The `type` of a schema that says nothing else about its types: the usual one. */
function onlyType(schema: unknown): unknown {
  if (!isSchema(schema)) return undefined;
  for (const key in schema) if (key !== 'type' && key !== 'description') return undefined;
  return schema.type;
}

function collect(schema: unknown, root: Schema, types: Set<JsonType>, seen: Set<unknown>): void {
  if (!isSchema(schema) || seen.has(schema)) return;
  seen.add(schema);
  for (const type of [schema.type].flat()) addNamed(type, types);
  if (schema.nullable === true) types.add('null');
  for (const value of Array.isArray(schema.enum) ? schema.enum : []) types.add(typeOfValue(value));
  if ('const' in schema) types.add(typeOfValue(schema.const));
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema[key];
    if (Array.isArray(parts)) for (const part of parts) collect(part, root, types, seen);
  }
  if (typeof schema.$ref === 'string') collect(resolve(schema.$ref, root), root, types, seen);
}

function addNamed(type: unknown, types: Set<JsonType>): void {
  if (typeof type !== 'string') return;
  const lower = type.toLowerCase();
  const found = prefixes.find(([, starts]) => starts.some((start) => lower.startsWith(start)));
  if (found !== undefined) types.add(found[0]);
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'object' ? 'object' : 'string';
}

/** Only references within the schema itself are followed. */
function resolve(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    place = isSchema(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }
  return place;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
