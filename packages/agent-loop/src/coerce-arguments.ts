import type { JsonObject, JsonSchema, JsonValue } from '@hermes/protocol';

/**
 * Turns strings into the numbers and booleans that the schema asks for. Follows the schema and
 * never the look of a value; what does not convert is kept. Returns the same object when nothing changed.
 */
export function coerceArguments(args: JsonObject, schema: JsonSchema | undefined): JsonObject {
  let coerced: Record<string, JsonValue> | null = null;
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (typeof value !== 'string') continue;
    const next = coerceText(value, typesOf(property));
    if (next === value) continue;
    coerced ??= { ...args };
    coerced[name] = next;
  }
  return coerced ?? args;
}

/** Whether all required properties are there and each known one has a type that the schema allows. */
export function fitsSchema(args: JsonObject, schema: JsonSchema | undefined): boolean {
  const required = schema?.required;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  if (!names.every((name) => Object.hasOwn(args, name))) return false;
  return Object.entries(propertiesOf(schema)).every(([name, property]) => {
    if (!Object.hasOwn(args, name)) return true;
    const types = typesOf(property);
    return types.length === 0 || types.some((type) => isOfType(args[name], type));
  });
}

function coerceText(text: string, types: readonly string[]): JsonValue {
  for (const type of types) {
    if (type === 'string') return text;
    const value = type === 'boolean' ? readBoolean(text) : readNumber(text, type);
    if (value !== undefined) return value;
  }
  return text;
}

function readBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A number that cannot be held exactly stays a text. */
function readNumber(text: string, type: string): number | undefined {
  if (type !== 'number' && type !== 'integer') return undefined;
  if (!NUMBER.test(text.trim())) return undefined;
  const value = Number(text);
  if (type === 'integer') return Number.isSafeInteger(value) ? value : undefined;
  return Number.isFinite(value) ? value : undefined;
}

function isOfType(value: JsonValue | undefined, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isObject(value);
  return typeof value === type;
}

function propertiesOf(schema: JsonSchema | undefined): JsonObject {
  const properties = schema?.properties;
  return isObject(properties) ? properties : {};
}

/** The types of a property in their order; also those of `anyOf` and `oneOf`. Empty = any. */
function typesOf(property: JsonValue | undefined): readonly string[] {
  if (!isObject(property)) return [];
  const { type } = property;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  const choices = property.anyOf ?? property.oneOf;
  if (!Array.isArray(choices)) return [];
  const types = choices.map((choice: JsonValue) => typesOf(choice));
  return types.every((some) => some.length > 0) ? types.flat() : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
