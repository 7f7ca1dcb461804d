import { ModelError } from '@hermes/protocol';
import { z } from 'zod';

/** A list of numbers, checked in one go: a schema an entry would cost more than the rest of a turn. */
export const numbers: z.ZodType<readonly number[]> = z.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'number'),
  'has to be a list of numbers',
);

/** A list of log-probs. A null is kept as no number, so that it is refused by name later on. */
export const logprobList: z.ZodType<readonly number[]> = z
  .custom<readonly (number | null)[]>(
    (value) => Array.isArray(value) && value.every(isNumberOrNull),
    'has to be a list of log-probs',
  )
  .transform((list) => list.map((value) => value ?? Number.NaN));

function isNumberOrNull(value: unknown): boolean {
  return value === null || typeof value === 'number';
}

/** Reads a body by its schema; what has another shape is named. */
export function readBody<T>(dialect: string, schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new ModelError(
    'BAD_RESPONSE',
    `The answer has not the shape that a server of type ${dialect} gives (${place}: ${issue?.message ?? 'unreadable'}): check which kind of server it is.`,
  );
}

/** Refuses an answer without ids or log-probs. */
export function required<T>(dialect: string, value: T | null | undefined, what: string): T {
  if (value !== null && value !== undefined) return value;
  throw new ModelError(
    'TOKENS_MISSING',
    `The ${dialect} server gave no ${what}: its answers cannot be trained on. Use a server or a version that returns token ids and log-probs.`,
  );
}

/** Refuses a finish reason that nobody knows. */
export function unknownFinish(dialect: string, reason: unknown): ModelError {
  return new ModelError(
    'BAD_RESPONSE',
    `The ${dialect} server ended an answer with the unknown reason ${JSON.stringify(reason)}: it cannot be told whether the answer is whole.`,
  );
}
