import type { JsonObject } from '@hermes/protocol';
import { z } from 'zod';
import type { ModelPrice } from '../run-options.ts';
import { type ConfigKind, decimal, integer, scalar, text } from './_kinds.ts';

/** A list of texts; a text is read as a YAML list (`[a, b]`) or as names with commas. */
export function list(): ConfigKind<readonly string[]> {
  const schema = z.preprocess(asList, z.array(text().schema));
  const example = '[terminal, file]';
  return { schema, type: 'a list of names', what: 'no list of names', example };
}

/** A list of texts, each as it is: a text alone stands for itself, commas and all. */
export function texts(example: string): ConfigKind<readonly string[]> {
  const asOne = (value: unknown) => (isListText(value) ? scalar(value) : [value].flat());
  const schema = z.preprocess(asOne, z.array(text().schema));
  return { schema, type: 'a list of texts', what: 'no list of texts', example, isText: true };
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

function asList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim().startsWith('[')) return scalar(value);
  return value.split(',').flatMap((part) => part.trim() || []);
}

function structure(value: unknown): unknown {
  return typeof value === 'string' && value.trim().startsWith('{') ? scalar(value) : value;
}
