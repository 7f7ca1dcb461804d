import type { JsonObject } from '@hermes/protocol';
import { parse } from 'yaml';
import { z } from 'zod';

/** One key of a section. used: false for keys of the original that `evaluate` has no use for; they are accepted with a notice. */
export type ConfigField<T> = Readonly<{ schema: z.ZodType<T>; fallback: T; used: boolean }>;

/** A key with its default. */
export function field<T>(schema: z.ZodType<T>, fallback: T): ConfigField<T> {
  return { schema, fallback, used: true };
}

/** A key that is accepted and has no effect here. */
export function unused<T>(schema: z.ZodType<T>, fallback: T): ConfigField<T> {
  return { schema, fallback, used: false };
}

/** A whole number; texts as YAML 1.1 writes them (`1_000`) are read. */
export function integer(min?: number): z.ZodType<number> {
  return z.preprocess(scalar, min === undefined ? z.int() : z.int().min(min));
}

/** A finite number. */
export function decimal(min?: number): z.ZodType<number> {
  return z.preprocess(scalar, min === undefined ? z.number() : z.number().min(min));
}

/** true and false, and their YAML 1.1 spellings: yes, no, on, off. */
export function flag(): z.ZodType<boolean> {
  return z.preprocess(scalar, z.boolean());
}

/** A text; a number or a truth value that YAML read is taken as text again. */
export function text(): z.ZodType<string> {
  return z.preprocess(asText, z.string());
}

/** One of these words, in any case. */
export function choice<T extends string>(...words: readonly T[]): z.ZodType<T> {
  const found = (value: unknown) =>
    words.find((word) => word.toLowerCase() === asText(value).toString().toLowerCase()) ?? value;
  return z.preprocess(found, z.literal(words));
}

/** A list of texts; a text is read as a YAML list (`[a, b]`) or as names with commas. */
export function list(): z.ZodType<readonly string[]> {
  return z.preprocess(asList, z.array(text()));
}

/** A map of whole numbers. */
export function counts(): z.ZodType<Readonly<Record<string, number>>> {
  return z.preprocess(structure, z.record(z.string(), integer(0)));
}

/** Any map. */
export function object(): z.ZodType<JsonObject> {
  return z.preprocess(structure, z.record(z.string(), z.json())) as z.ZodType<JsonObject>;
}

/** null, also spelled None, null or ~. */
export function nullable<T>(schema: z.ZodType<T>): z.ZodType<T | null> {
  const none = (value: unknown) =>
    typeof value === 'string' && /^(none|null|~)$/i.test(value) ? null : value;
  return z.preprocess(none, schema.nullable());
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
