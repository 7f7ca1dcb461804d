import type { JsonObject } from '@hermes/protocol';
import { InvalidArgumentError } from 'commander';

/** Gathers the values of a flag that may be repeated. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** A name, a path or an address: an empty one is a variable of the shell that is not set. */
export function filled(value: string): string {
  if (value.trim() !== '') return value;
  throw new InvalidArgumentError('it is empty; is a variable of your shell not set?');
}

/** The same for a flag that may be repeated. */
export function collectFilled(value: string, earlier?: readonly string[]): readonly string[] {
  return collect(filled(value), earlier);
}

/** Words with commas between them; a flag that may be repeated too. */
export function collectWords(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...value.split(',').flatMap((word) => word.trim() || [])];
}

/** `key=value`, for a flag that may be repeated. */
export function collectPairs(
  value: string,
  earlier: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('write key=value, for example hermes.run=RUN.');
  return { ...earlier, [value.slice(0, at)]: value.slice(at + 1) };
}

/** A whole number above 0. */
export function positiveInteger(value: string): number {
  const number = wholeNumberIn(value);
  if (number === null || number < 1)
    throw new InvalidArgumentError('a whole number above 0 is needed, for example 4.');
  return number;
}

/** A whole number of 0 or more. */
export function wholeNumber(value: string): number {
  const number = wholeNumberIn(value);
  if (number === null) throw new InvalidArgumentError('a whole number is needed, for example 0.');
  return number;
}

/** Plain decimal digits only: `1e2` or `0x10` is more likely a slip than a count. */
function wholeNumberIn(value: string): number | null {
  const number = Number(value);
  return /^\d+$/.test(value) && Number.isSafeInteger(number) ? number : null;
}

/** A number, with a sign and decimals where it has some. */
export function decimalNumber(value: string): number {
  if (!/^-?(\d+(\.\d*)?|\.\d+)$/.test(value))
    throw new InvalidArgumentError('a number is needed, for example 0.7.');
  return Number(value);
}

/** A number above 0. */
export function positiveNumber(value: string): number {
  const number = decimalNumber(value);
  if (number <= 0) throw new InvalidArgumentError('a number above 0 is needed, for example 0.5.');
  return number;
}

/** The same with `none`, for what is not to be sent at all. */
export function orNone<T>(parse: (value: string) => T): (value: string) => T | null {
  return (value) => (value === 'none' ? null : parse(value));
}

/** `true` or `false`, for a flag whose value may be left out. */
export function truthValue(value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new InvalidArgumentError('write it alone, or with true or false after it.');
}

/** A JSON object. */
export function jsonObject(value: string): JsonObject {
  const parsed = parseJson(value);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    return parsed as JsonObject;
  throw new InvalidArgumentError(`a JSON object is needed, for example '{"top_k": 20}'.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // refused by the caller, with what is expected
  }
}

/** One of these words. */
export function oneOf<T extends string>(...words: readonly T[]): (value: string) => T {
  return (value) => {
    const word = words.find((known) => known === value);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`allowed: ${words.join(', ')}.`);
  };
}
