import { z } from 'zod';
import { readScalar } from './_yaml.ts';

/** What a value must be. type: in two or three words. what: completes "... is". example: as it is written in the file. */
export type ConfigKind<T> = Readonly<{
  schema: z.ZodType<T>;
  type: string;
  what: string;
  example: string;
  /** A number or the like is taken as the word that stands in the file. */
  isText?: boolean;
  /** All that it may be, where these are few. */
  words?: readonly string[];
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
  return { schema, type: `one of ${all}`, what: `none of ${all}`, example: words[0], words };
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

const PYTHON_NUMBER = /^\s*[-+]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)([eE][-+]?\d+)?\s*$/;

/** What YAML reads in a text, and `4e-5` as a number: Python reads it as one, YAML 1.1 does not. */
export function asNumber(value: unknown): unknown {
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
