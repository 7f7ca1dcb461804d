import type { JsonObject } from '@hermes/protocol';

/** A column that must hold text, or a number; throws an Error that says what it holds instead. */
export function textColumn(row: JsonObject, name: string): string {
  const value = row[name];
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value === undefined) throw new Error(`there is no column ${name}`);
  throw new Error(`column ${name} must be text, and is ${JSON.stringify(value).slice(0, 60)}`);
}
