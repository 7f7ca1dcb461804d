import { HermesError } from '@hermes/protocol';
import { stopped } from '../_read-errors.ts';
import type { HubContext } from './hub-context.ts';
import { describe, type HubSubject, hubAnswerError, hubConnectionError } from './hub-errors.ts';

/** How often one request is sent before its error counts. */
export const ATTEMPTS = 5;

/** Until the first byte of an answer. */
const ANSWER_DEADLINE_MS = 30_000;

const LONGEST_WAIT_MS = 60_000;

/** An answer whose body is still to come; aborting `request` ends it. */
export type OpenAnswer = Readonly<{ response: Response; request: AbortController }>;

/** One request; `take` reads the answer, and what it throws is tried again. */
export type HubRequest<T> = Readonly<{
  subject: HubSubject;
  url: string;
  headers: Headers;
  take: (answer: OpenAnswer) => Promise<T>;
}>;

/**
 * What `take` makes of a successful answer. Lost connections, silence, 408, 429 and 5xx are tried
 * again; any other failure is an error in words.
 */
export async function requestHub<T>(context: HubContext, request: HubRequest<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(context, request);
    if (outcome.ok) return outcome.value;
    if (attempt === ATTEMPTS || !outcome.error.retryable) throw outcome.error;
    await waitBefore(context, request.subject, attempt, outcome);
  }
}

/** Why an attempt failed, and how long the hub asks to wait; null = it did not say. */
export type FailedAttempt = Readonly<{ error: HermesError; retryAfterMs: number | null }>;

/** Waits as long as the hub asked for, else twice as long as the last time. */
export async function waitBefore(
  context: HubContext,
  subject: HubSubject,
  attempt: number,
  failed: FailedAttempt,
): Promise<void> {
  const waitMs = Math.min(failed.retryAfterMs ?? 500 * 2 ** attempt, LONGEST_WAIT_MS);
  const message = `${describe(subject)}: trying again in ${waitMs} ms (${failed.error.message})`;
  context.logger.log('warn', message);
  await context.clock.sleep(waitMs, context.signal);
}

type Outcome<T> = Readonly<{ ok: true; value: T }> | (FailedAttempt & Readonly<{ ok: false }>);

async function tryOnce<T>(context: HubContext, request: HubRequest<T>): Promise<Outcome<T>> {
  const { subject } = request;
  try {
    const answer = await send(context, request.url, request.headers);
    if (answer.response.ok) return { ok: true, value: await request.take(answer) };
    answer.request.abort();
    const error = hubAnswerError(context, subject, answer.response);
    return { ok: false, error, retryAfterMs: readRetryAfter(answer.response) };
  } catch (error) {
    if (context.signal.aborted) throw stopped(`reading ${describe(subject)}`, context.signal);
    if (HermesError.isInstance(error)) throw error;
    return { ok: false, error: hubConnectionError(context, subject, error), retryAfterMs: null };
  }
}

async function send(context: HubContext, url: string, headers: Headers): Promise<OpenAnswer> {
  const request = new AbortController();
  const signal = AbortSignal.any([context.signal, request.signal]);
  const response = await withDeadline(context, ANSWER_DEADLINE_MS, request, () =>
    context.fetch(url, { headers: authorise(context, url, headers), signal }),
  );
  return { response, request };
}

/** Ends `work` through its controller when it takes longer. */
export async function withDeadline<T>(
  context: HubContext,
  ms: number,
  controller: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const expire = () => controller.abort(new Error(`nothing came within ${ms} ms`));
  context.clock.sleep(ms, done.signal).then(expire, () => undefined);
  try {
    return await work();
  } finally {
    done.abort();
  }
}

/** The token goes to the hub only, never to where an answer points. */
function authorise(context: HubContext, url: string, headers: Headers): Headers {
  const sent = new Headers(headers);
  sent.set('user-agent', 'hermes-datasets');
  const isHub = new URL(url).origin === new URL(context.endpoint).origin;
  if (isHub && context.token !== null) sent.set('authorization', `Bearer ${context.token}`);
  return sent;
}

function readRetryAfter(response: Response): number | null {
  const header = response.headers.get('retry-after');
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
