import type { Effects } from '@hermes/protocol';
import type { z } from 'zod';
import { TrainerError } from '../trainer-error.ts';
import type { HttpAnswer, HttpConnection, HttpRequest } from './http-connection.ts';
import { ifRetryable, withRetries } from './retry.ts';
import { refusalSchema } from './wire-schemas.ts';

/** What every request of a client shares. */
export type AskContext = Readonly<{
  connection: HttpConnection;
  maxTries: number;
  retryDelayMs: number;
  effects: Effects;
}>;

export type Question<T extends z.ZodType> = Omit<HttpRequest, 'mayUse'> &
  Readonly<{
    schema: T;
    /** Default: whatever is retryable. What may not be done twice gives something narrower. */
    mayRepeat?: (error: TrainerError) => boolean;
  }>;

/** Asks until there is an answer of the right form, or no sense in asking again. */
export async function ask<T extends z.ZodType>(
  context: AskContext,
  { schema, mayRepeat = ifRetryable, ...request }: Question<T>,
): Promise<Readonly<{ value: z.infer<T>; answer: HttpAnswer }>> {
  const options = { ...context, signal: request.signal };
  return withRetries(options, mayRepeat, async () => {
    const answer = (await context.connection.send(request)) as HttpAnswer;
    throwIfFailed(context, request, answer);
    return { value: readAs(schema, context, request, answer), answer };
  });
}

/** The answer in the form that it must have. */
export function readAs<T extends z.ZodType>(
  schema: T,
  { connection }: AskContext,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
  { text }: HttpAnswer,
): z.infer<T> {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const message = `${method} ${connection.baseUrl}${path} was answered with ${JSON.stringify(text.slice(0, 200))}, which is not what a trajectory server says there. Check the address.`;
  throw new TrainerError('BAD_ANSWER', message);
}

/** Throws for every status that is no success. */
export function throwIfFailed(
  { connection }: AskContext,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
  { status, text, headers: { location } }: HttpAnswer,
): void {
  if (status >= 200 && status < 300) return;
  const reason = location === undefined ? reasonIn(text) : `go to ${location}`;
  const said = `${method} ${connection.baseUrl}${path} was answered with ${status}: ${reason}`;
  const details = { status, wasWritten: true };
  if (status >= 502 && status <= 504)
    throw new TrainerError('UNAVAILABLE', said, { retryable: true, details });
  throw new TrainerError('REFUSED', said, { retryable: status >= 500, details });
}

/** What a refusal says is wrong, and where. */
export function reasonIn(text: string): string {
  const parsed = refusalSchema.safeParse(parseJson(text));
  if (!parsed.success) return text.slice(0, 300);
  const { detail } = parsed.data;
  if (typeof detail === 'string') return detail;
  return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // never the value of a JSON text
  }
}
