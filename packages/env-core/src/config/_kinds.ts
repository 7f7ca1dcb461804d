import type { JsonObject } from '@hermes/protocol';
import { z } from 'zod';
import type { ModelPrice } from '../run-options.ts';
import { readScalar } from './_yaml.ts';

/** What a value must be. type: in two or three words. what: completes "... is". example: as it is written in the file. */
export type ConfigKind<T> = Readonly<{
  schema: z.ZodType<T>;
  type: string;
  what: string;
  example: string;
  /** A number or the like is taken as the word that stands in the file. */
  isText?: boolean;
}>;

/** A finite number; texts as YAML 1.1 writes them (`1_000`), and as Python does (`4e-5`). */
function number(schema: z.ZodType<number>): z.ZodType<number> {
  return z.preprocess(asNumber, schema);
}

/** A whole number. */
export function integer(min?: number): ConfigKind<number> {
  const schema = number(min === undefined ? z.int() : z.int().min(min));
  const what = `no whole number${orMore(min)}`;
  return { schema, type: `a whole number${orMore(min)}`, what, example: '1' };
}

/** A finite number. */
export function decimal(min?: number): ConfigKind<number> {
  const schema = number(min === undefined ? z.number() : z.number().min(min));
  const what = `no number${orMore(min)}`;
  return { schema, type: `a number${orMore(min)}`, what, example: '1.5' };
}

/** A finite number between two bounds, which are in. */
export function between(min: number, max: number, example: string): ConfigKind<number> {
  const range = `number from ${min} to ${max}`;
  const schema = number(z.number().min(min).max(max));
  return { schema, type: `a ${range}`, what: `no ${range}`, example };
}

function orMore(min: number | undefined): string {
  return min === undefined ? '' : ` of ${min} or more`;
}

/** true and false in the spellings that the original took: yes, no, on, off, t, f, y, n, 1, 0. */
export function flag(): ConfigKind<boolean> {
  const schema = z.preprocess(asFlag, z.boolean());
  return { schema, type: 'true or false', what: 'not true or false', example: 'true' };
}

/** A text; a number or a truth value that YAML read is taken as text again. */
export function text(example = 'some-text'): ConfigKind<string> {
  const schema = z.preprocess(asText, z.string());
  return { schema, type: 'a text', what: 'no text', example, isText: true };
}

/** One of these words, in any case. */
export function choice<T extends string>(...words: readonly [T, ...T[]]): ConfigKind<T> {
  const found = (value: unknown) =>
    words.find((word) => word.toLowerCase() === String(value).toLowerCase()) ?? value;
  const schema = z.preprocess(found, z.literal(words));
  const all = words.join(', ');
  return { schema, type: `one of ${all}`, what: `none of ${all}`, example: words[0] };
}

/** A list of texts; a text is read as a YAML list (`[a, b]`) or as names with commas. */
export function list(): ConfigKind<readonly string[]> {
  const schema = z.preprocess(asList, z.array(text().schema));
  return { schema, type: 'a list of names', what: 'no list of names', example: '[terminal, file]' };
}

/** A list of texts, each as it is: a text alone stands for itself, commas and all. */
export function texts(example: string): ConfigKind<readonly string[]> {
  const asOne = (value: unknown) => (isListText(value) ? scalar(value) : [value].flat());
  const schema = z.preprocess(asOne, z.array(text().schema));
  return { schema, type: 'a list of texts', what: 'no list of texts', example };
}

function isListText(value: unknown): boolean {
  return typeof value === 'string' && /^\[.*\]$/s.test(value.trim());
}

/** A map of texts. */
export function textMap(example: string): ConfigKind<Readonly<Record<string, string>>> {
  const schema = z.preprocess(structure, z.record(z.string(), text().schema));
  return { schema, type: 'a map of texts', what: 'no map of names to texts', example };
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
  const what = 'no price with input and output, in USD a million tokens';
  return { schema, type: 'a map of USD a million tokens', what, example };
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
  const example = '{ terminal: 5000 }';
  return {
    schema,
    type: 'a map of whole numbers',
    what: 'no map of names to whole numbers',
    example,
  };
}

/** Any map. */
export function object(example: string): ConfigKind<JsonObject> {
  const schema = z.preprocess(structure, z.record(z.string(), z.json())) as z.ZodType<JsonObject>;
  return { schema, type: 'a map', what: 'no map', example };
}

/** null, also spelled None, null or ~. */
export function nullable<T>({ schema, ...kind }: ConfigKind<T>): ConfigKind<T | null> {
  const none = (value: unknown) =>
    typeof value === 'string' && /^(none|null|~)$/i.test(value) ? null : value;
  const type = `${kind.type}, or null`;
  return { ...kind, type, schema: z.preprocess(none, schema.nullable()) };
}

/** A text as YAML 1.1 reads it; other values as they are. */
export function scalar(value: unknown): unknown {
  return typeof value === 'string' ? readScalar(value) : value;
}

/** Python reads `4e-5` as a number, which is a text in YAML 1.1. */
const PYTHON_NUMBER = /^\s*[-+]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)([eE][-+]?\d+)?\s*$/;

function asNumber(value: unknown): unknown {
  const isNumber = typeof value === 'string' && PYTHON_NUMBER.test(value);
  return isNumber ? Number(value.replaceAll('_', '')) : scalar(value);
}

function asFlag(value: unknown): unknown {
  const word = String(value).trim().toLowerCase();
  if (/^(true|t|yes|y|on|1)$/.test(word)) return true;
  return /^(false|f|no|n|off|0)$/.test(word) ? false : value;
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
