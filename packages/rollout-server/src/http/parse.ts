import type { z } from 'zod';
import { Refusal } from './refusal.ts';

/** Throws a Refusal with 400 that names the first key that is wrong. */
export function parse<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'body' : issue.path.join('.');
  throw new Refusal(400, 'invalid_request', `${where}: ${issue?.message ?? 'not understood'}`);
}
