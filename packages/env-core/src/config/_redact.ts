import type { JsonObject, JsonValue } from '@hermes/protocol';

const SECRET = /(^|[_-])(api_?keys?|key|secrets?|token|password|passphrase|authorization)$/i;
const SECRET_CAMEL = /([Aa]pi|[Aa]ccess|[Pp]rivate)Key$|[a-z](Secret|Token|Password|Passphrase)$/;
/** Maps whose members may each be a secret. */
const SECRET_MAPS: readonly string[] = ['headers', 'modal_env_vars', 'env_vars'];

const USER_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/gi;
const SECRET_IN_URL = /([?&](?:api_?key|key|secret|token|password|signature)=)[^&#\s]*/gi;

/** The same with the texts under secret names hidden, at any depth, and the user of a URL. */
export function redacted(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, redactedValue(name, value)]),
  );
}

/** One value under its name. */
export function redactedValue(name: string, value: JsonValue): JsonValue {
  if (SECRET_MAPS.includes(name) || SECRET.test(name) || SECRET_CAMEL.test(name))
    return hidden(value);
  if (typeof value === 'string') return withoutSecrets(value);
  if (Array.isArray(value)) return value.map((member: JsonValue) => redactedValue('', member));
  return typeof value === 'object' && value !== null ? redacted(value as JsonObject) : value;
}

function withoutSecrets(text: string): string {
  return text.replace(USER_IN_URL, '$1[redacted]@').replace(SECRET_IN_URL, '$1[redacted]');
}

function hidden(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value === '' ? '' : '[redacted]';
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hidden(member)]));
}
