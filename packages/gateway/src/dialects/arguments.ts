/**
 * The arguments of a call in an agent's history as one JSON text. Some clients send an object where a text belongs, some encode the text
 * once more.
 */
export function argumentsText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? {});
  const inner = parsed(value);
  return typeof inner === 'string' && isObject(parsed(inner)) ? inner : value;
}

/** The arguments as an object, for dialects that have no place for a text. What is no object stays readable as `_raw`. */
export function argumentsObject(text: string): Record<string, unknown> {
  const value = parsed(text);
  return isObject(value) ? value : { _raw: text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // what is no JSON is carried as it is
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
