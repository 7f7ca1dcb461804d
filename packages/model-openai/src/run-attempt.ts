import type {
  ChatDelta,
  ChatResult,
  Instant,
  JsonObject,
  ModelAttempt,
  ModelCallContext,
  ModelError,
} from '@hermes/protocol';
import { guardError, openError } from './attempt-errors.ts';
import { type AttemptGuard, createAttemptGuard } from './attempt-guard.ts';
import { type AnswerCollector, collectAnswer } from './collect-answer.ts';
import type { OpenModel } from './open-model.ts';
import { readResponse } from './read-response.ts';

/** What one request on the wire came to; exactly one of result and error is set. */
export type AttemptOutcome = Readonly<{ attempt: ModelAttempt }> &
  Readonly<{ result: ChatResult; error: null } | { result: null; error: ModelError }>;

/** Which request this is. */
export type AttemptId = Readonly<{ attemptId: string; number: number }>;

type Attempt = {
  readonly startedAt: Instant;
  readonly answer: AnswerCollector;
  firstTokenMs: number | null;
  statusCode: number | null;
};

/** Makes one request and yields the answer as it comes. Never throws; the connection is closed when it returns. */
export async function* runAttempt(
  model: OpenModel,
  body: JsonObject,
  context: ModelCallContext,
  id: AttemptId,
): AsyncGenerator<ChatDelta, AttemptOutcome> {
  const { effects, settings } = model;
  const attempt = beginAttempt(model);
  const guard = createAttemptGuard(context.signal, effects.clock, settings.timeoutMs);
  try {
    yield* makeRequest(model, body, context, attempt, guard);
    const result = attempt.answer.result();
    return { attempt: attemptRecord(model, attempt, id, null), result, error: null };
  } catch (thrown) {
    const error = errorOf(model, attempt, guard, thrown);
    return { attempt: attemptRecord(model, attempt, id, error), result: null, error };
  } finally {
    guard.end();
  }
}

function beginAttempt({ effects }: OpenModel): Attempt {
  return {
    startedAt: effects.clock.now(),
    answer: collectAnswer(effects.newId),
    firstTokenMs: null,
    statusCode: null,
  };
}

async function* makeRequest(
  { effects, settings, target, transport }: OpenModel,
  body: JsonObject,
  context: ModelCallContext,
  attempt: Attempt,
  guard: AttemptGuard,
): AsyncGenerator<ChatDelta> {
  const response = await transport.chat(body, context, guard.signal);
  attempt.statusCode = response.status;
  const { answer, startedAt } = attempt;
  const reading = { target, guard, answer, stallMs: settings.stallMs };
  for await (const delta of readResponse(reading, response)) {
    attempt.firstTokenMs ??= effects.clock.now().monoMs - startedAt.monoMs;
    yield delta;
  }
}

/** What the guard did explains every error that follows from it. */
function errorOf(
  { effects, settings, target }: OpenModel,
  attempt: Attempt,
  guard: AttemptGuard,
  thrown: unknown,
): ModelError {
  const reason = guard.reason();
  if (reason !== null) return guardError(target, reason, settings);
  const error = openError(target, thrown, effects.clock.now().wallMs);
  const status = error.details?.status;
  if (typeof status === 'number') attempt.statusCode ??= status;
  return error;
}

function attemptRecord(
  { effects }: OpenModel,
  { answer, firstTokenMs, startedAt, statusCode }: Attempt,
  id: AttemptId,
  error: ModelError | null,
): ModelAttempt {
  return {
    ...id,
    modelCallId: null,
    ...answer.ids(),
    startedAt,
    endedAt: effects.clock.now(),
    firstTokenMs,
    statusCode,
    usage: answer.usage(),
    error: error?.toInfo() ?? null,
  };
}
