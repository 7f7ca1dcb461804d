import type { JsonObject, JsonValue } from '@hermes/protocol';
import { nearestName } from '@hermes/sandbox';
import { type ConfigField, scalar } from './_config-values.ts';

/** A section that was read: what is wrong with it, what had no effect, and all its values for people. */
export type ParsedSection<T> = Readonly<{
  settings: T;
  problems: readonly string[];
  notices: readonly string[];
  dump: JsonObject;
}>;

type Fields = Readonly<Record<string, ConfigField<never> | ConfigField<unknown>>>;
type Values<F extends Fields> = { readonly [K in keyof F]: F[K]['fallback'] };

/** Reads each given key by its field; keys that nobody knows are problems that name the nearest one. */
export function parseFields<F extends Fields>(
  path: string,
  fields: F,
  given: JsonObject,
): Omit<ParsedSection<never>, 'settings'> & { readonly values: Values<F> } {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name];
    const parsed = value === undefined ? null : field.schema.safeParse(value);
    values[name] = parsed?.success ? parsed.data : field.fallback;
    if (parsed?.success === false && value !== undefined)
      problems.push(
        `${path}.${name}: ${shown(name, value)} is ${field.what}; for example ${name}: ${field.example}`,
      );
  }
  const names = Object.keys(given);
  const unknown = names.filter((name) => !Object.hasOwn(fields, name));
  const idle = names.filter((name) => fields[name]?.used === false);
  return {
    values: values as Values<F>,
    problems: [...problems, ...unknown.map((key) => unknownKey(path, key, Object.keys(fields)))],
    notices: idle.map((name) => `${path}.${name} has no effect here`),
    dump: redacted(values as JsonObject),
  };
}

/** A value in a message, a text from a flag as YAML reads it: without secrets, and not longer than people read. */
export function shown(name: string | undefined, value: JsonValue): string {
  const text = JSON.stringify(redactedValue(name ?? '', scalar(value) as JsonValue));
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
}

const SHOWN_CHARS = 80;

/** Says what could have been meant, and all there is. */
export function unknownKey(path: string, key: string, valid: readonly string[]): string {
  const close = nearestName(key, valid);
  const hint = close === null ? '' : ` Did you mean ${close}?`;
  const place = path === '' ? key : `${path}.${key}`;
  return `${place}: unknown key.${hint} Valid: ${valid.toSorted().join(', ')}`;
}

const SECRET = /(^|[_-])(api_?key|key|secret|token|password|passphrase|authorization)$/i;
const SECRET_CAMEL = /([Aa]pi|[Aa]ccess|[Pp]rivate)Key$|[a-z](Secret|Token|Password|Passphrase)$/;

const USER_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/gi;

/** The same with the texts under secret names hidden, at any depth, and the user of a URL. */
export function redacted(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, redactedValue(name, value)]),
  );
}

function redactedValue(name: string, value: JsonValue): JsonValue {
  if (name === 'headers' || SECRET.test(name) || SECRET_CAMEL.test(name)) return hidden(value);
  if (typeof value === 'string') return value.replace(USER_IN_URL, '$1[redacted]@');
  if (Array.isArray(value)) return value.map((member: JsonValue) => redactedValue('', member));
  return typeof value === 'object' && value !== null ? redacted(value as JsonObject) : value;
}

function hidden(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value === '' ? '' : '[redacted]';
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hidden(member)]));
}
