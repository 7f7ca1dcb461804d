import type { JsonValue } from '@hermes/protocol';

/** Shorter ones are placeholders such as `x`, and would tear holes into every word. */
const SHORTEST_SECRET = 6;

/** The same data with `***` in place of every secret. */
export function masked(value: JsonValue, secrets: readonly string[]): JsonValue {
  if (typeof value === 'string') return maskedText(value, secrets);
  if (Array.isArray(value)) return value.map((one) => masked(one, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, secrets)]));
}

function maskedText(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}
