import { TokenizerError, unsupported } from '../tokenizer-error.ts';
import type { PropertySets } from '../unicode/property-sets.ts';

/** One part of a tokenizer.json, as it was read. */
export type ComponentJson = Readonly<Record<string, unknown>>;

/** What the makers of components share. */
export type ComponentContext = Readonly<{ sets: PropertySets }>;

/** The type of a component; `what` says which kind of component it is. */
export function typeOf(json: ComponentJson, what: string): string {
  if (typeof json.type === 'string') return json.type;
  throw new TokenizerError('FORMAT', `A ${what} of the tokenizer has no type`);
}

export function refusal(what: string, json: ComponentJson): TokenizerError {
  return unsupported(`The ${what} ${JSON.stringify(json.type)}`);
}

/** The value as a component, for what lies inside of another one. */
export function asComponent(value: unknown, what: string): ComponentJson {
  if (isObject(value)) return value;
  throw new TokenizerError('FORMAT', `A ${what} of the tokenizer is no object`);
}

export function components(value: unknown, what: string): ComponentJson[] {
  if (!Array.isArray(value)) throw new TokenizerError('FORMAT', `The ${what}s are no list`);
  return value.map((one) => asComponent(one, what));
}

export function isObject(value: unknown): value is ComponentJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(json: ComponentJson, key: string): string {
  const value = json[key];
  if (typeof value === 'string') return value;
  throw new TokenizerError('FORMAT', `"${key}" of ${JSON.stringify(json.type)} is no text`);
}

/** A truth value with the default that the reference has. */
export function flag(json: ComponentJson, key: string, byDefault: boolean): boolean {
  const value = json[key] ?? byDefault;
  if (typeof value === 'boolean') return value;
  throw new TokenizerError('FORMAT', `"${key}" of ${JSON.stringify(json.type)} is no truth value`);
}

export function integer(json: ComponentJson, key: string): number {
  const value = json[key];
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new TokenizerError('FORMAT', `"${key}" of ${JSON.stringify(json.type)} is no integer`);
}
