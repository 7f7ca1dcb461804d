import type { JsonObject, JsonValue } from '@hermes/protocol';
import type { z } from 'zod';

type Parsed<T> = Readonly<{ ok: true; value: T } | { ok: false; message: string }>;

/** A model's arguments as plain values; null is what many models write for "not given". */
export function parseArguments<T>(schema: z.ZodType<T>, args: JsonObject): Parsed<T> {
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  const result = schema.safeParse(given);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return { ok: false, message: `Invalid arguments: ${problems.join('; ')}` };
}

/** What kind of JSON value it is, in a word a model can act on. */
export function jsonTypeName(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
