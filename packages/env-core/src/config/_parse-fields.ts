import type { JsonObject, JsonValue } from '@hermes/protocol';
import { nearestName } from '@hermes/sandbox';
import type { ConfigField, ConfigFields } from './_fields.ts';
import { scalar } from './_kinds.ts';
import { redacted, redactedValue } from './_redact.ts';
import { unknownKey } from './_unknown-key.ts';
import type { Traced } from './value-source.ts';

/** A section that was read: what is wrong with it, and all its values for people. */
export type ParsedSection<T> = Readonly<{
  settings: T;
  problems: readonly string[];
  dump: JsonObject;
}>;

/** Reads each given key by its field; keys that nobody knows are problems that name the nearest one. */
export function parseFields(
  path: string,
  fields: ConfigFields,
  given: Traced,
): ParsedSection<Readonly<Record<string, unknown>>> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name] === undefined ? undefined : givenValue(field, given[name]);
    const parsed = value === undefined ? null : field.schema.safeParse(value);
    values[name] = parsed?.success ? parsed.data : field.fallback;
    if (parsed?.success === false && value !== undefined)
      problems.push(
        `${path}.${name}: ${shown(name, value)} is ${field.what}; ${advice(name, field, value)}`,
      );
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  return {
    settings: values,
    problems: [...problems, ...unknown.map((key) => unknownKey(path, key, Object.keys(fields)))],
    dump: redacted(values as JsonObject),
  };
}

/** The word that was probably meant, or how such a value looks. */
function advice(
  name: string,
  { words = [], example }: ConfigField<never> | ConfigField<unknown>,
  value: JsonValue,
): string {
  const nearest = typeof value === 'string' ? nearestName(value, words) : null;
  return nearest === null ? `for example ${name}: ${example}` : `did you mean ${nearest}?`;
}

/** A text is what stands in the file: `4.10` and `007`, not 4.1 and 7. */
function givenValue(
  { isText = false }: ConfigField<never> | ConfigField<unknown>,
  { value, word }: Traced[string],
): JsonValue {
  return isText && word !== undefined && value !== null ? word : value;
}

/** A value in a message, a text from a flag as YAML reads it: without secrets, and not longer than people read. */
export function shown(name: string | undefined, value: JsonValue): string {
  const text = JSON.stringify(redactedValue(name ?? '', scalar(value) as JsonValue));
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
}

const SHOWN_CHARS = 80;
