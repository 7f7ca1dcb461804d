import type { JsonObject } from '@hermes/protocol';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ModelPrice } from './run-options.ts';

/** What a value must be. what: completes "... is no". example: as it is written in the file. */
export type ConfigKind<T> = Readonly<{ schema: z.ZodType<T>; what: string; example: string }>;

/** One key of a section. used: false for keys of the original that `evaluate` has no use for; they are accepted with a notice. */
export type ConfigField<T> = ConfigKind<T> & Readonly<{ fallback: T; used: boolean }>;

/** A key with its default. */
export function field<T>(kind: ConfigKind<T>, fallback: T): ConfigField<T> {
  const isTelling = typeof fallback === 'number' || typeof fallback === 'boolean';
  return { ...kind, ...(isTelling ? { example: String(fallback) } : {}), fallback, used: true };
}

/** A key that is accepted and has no effect here. */
export function unused<T>(kind: ConfigKind<T>, fallback: T): ConfigField<T> {
  return { ...field(kind, fallback), used: false };
}

/** A whole number; texts as YAML 1.1 writes them (`1_000`) are read. */
export function integer(min?: number): ConfigKind<number> {
  const schema = z.preprocess(scalar, min === undefined ? z.int() : z.int().min(min));
  return { schema, what: `no whole number${orMore(min)}`, example: '1' };
}

/** A finite number. */
export function decimal(min?: number): ConfigKind<number> {
  const schema = z.preprocess(scalar, min === undefined ? z.number() : z.number().min(min));
  return { schema, what: `no number${orMore(min)}`, example: '1.5' };
}

/** A finite number between two bounds, which are in. */
export function between(min: number, max: number, example: string): ConfigKind<number> {
  const schema = z.preprocess(scalar, z.number().min(min).max(max));
  return { schema, what: `no number from ${min} to ${max}`, example };
}

function orMore(min: number | undefined): string {
  return min === undefined ? '' : ` of ${min} or more`;
}

/** true and false, and their YAML 1.1 spellings: yes, no, on, off. */
export function flag(): ConfigKind<boolean> {
  return { schema: z.preprocess(scalar, z.boolean()), what: 'not true or false', example: 'true' };
}

/** A text; a number or a truth value that YAML read is taken as text again. */
export function text(example = 'some-text'): ConfigKind<string> {
  return { schema: z.preprocess(asText, z.string()), what: 'no text', example };
}

/** One of these words, in any case. */
export function choice<T extends string>(...words: readonly [T, ...T[]]): ConfigKind<T> {
  const found = (value: unknown) =>
    words.find((word) => word.toLowerCase() === String(value).toLowerCase()) ?? value;
  const schema = z.preprocess(found, z.literal(words));
  return { schema, what: `none of ${words.join(', ')}`, example: words[0] };
}

/** A list of texts; a text is read as a YAML list (`[a, b]`) or as names with commas. */
export function list(): ConfigKind<readonly string[]> {
  const schema = z.preprocess(asList, z.array(text().schema));
  return { schema, what: 'no list of names', example: '[terminal, file]' };
}

/** A list of texts, each as it is: a text alone stands for itself, commas and all. */
export function texts(example: string): ConfigKind<readonly string[]> {
  const asOne = (value: unknown) => (isListText(value) ? scalar(value) : [value].flat());
  return { schema: z.preprocess(asOne, z.array(text().schema)), what: 'no list of texts', example };
}

function isListText(value: unknown): boolean {
  return typeof value === 'string' && /^\[.*\]$/s.test(value.trim());
}

/** A map of texts. */
export function textMap(example: string): ConfigKind<Readonly<Record<string, string>>> {
  const schema = z.preprocess(structure, z.record(z.string(), text().schema));
  return { schema, what: 'no map of names to texts', example };
}

/** What a million tokens cost, in USD. */
export function price(): ConfigKind<ModelPrice> {
  const schema = z.preprocess(structure, PRICE).transform(({ input, output, ...rest }) => ({
    input,
    output,
    cached: rest.cached_input ?? null,
    cacheWrite: rest.cache_write ?? null,
  })) as z.ZodType<ModelPrice>;
  const example = '{ input: 0.4, output: 1.6, cached_input: 0.1 }';
  return { schema, what: 'no price with input and output, in USD a million tokens', example };
}

const PRICE = z.strictObject({
  input: decimal(0).schema,
  output: decimal(0).schema,
  cached_input: decimal(0).schema.optional(),
  cache_write: decimal(0).schema.optional(),
});

/** A map of whole numbers. */
export function counts(): ConfigKind<Readonly<Record<string, number>>> {
  const schema = z.preprocess(structure, z.record(z.string(), integer(0).schema));
  return { schema, what: 'no map of names to whole numbers', example: '{ terminal: 5000 }' };
}

/** Any map. */
export function object(example: string): ConfigKind<JsonObject> {
  const schema = z.preprocess(structure, z.record(z.string(), z.json())) as z.ZodType<JsonObject>;
  return { schema, what: 'no map', example };
}

/** null, also spelled None, null or ~. */
export function nullable<T>({ schema, ...kind }: ConfigKind<T>): ConfigKind<T | null> {
  const none = (value: unknown) =>
    typeof value === 'string' && /^(none|null|~)$/i.test(value) ? null : value;
  return { ...kind, schema: z.preprocess(none, schema.nullable()) };
}

/** A text as YAML 1.1 reads it; other values as they are. */
export function scalar(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parse(value, { version: '1.1' });
  } catch {
    return value; // no YAML: the schema says what is wrong with it
  }
}

function asText(value: unknown): string | object {
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? String(value) : (value as string);
}

function asList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim().startsWith('[')) return scalar(value);
  return value.split(',').flatMap((part) => part.trim() || []);
}

function structure(value: unknown): unknown {
  return typeof value === 'string' && value.trim().startsWith('{') ? scalar(value) : value;
}
