import type { JsonObject } from '@hermes/protocol';

/** A field of anything; undefined where there is none. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that says something; else null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** undefined = it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // undefined is never the value of a JSON text: it says that this was none.
    return undefined;
  }
}
