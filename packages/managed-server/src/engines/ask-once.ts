import {
  type Effects,
  HermesError,
  type Instant,
  type ModelAttempt,
  ModelError,
  type TokenEvent,
} from '@hermes/protocol';
import { checkOutput } from '../answer/check-output.ts';
import type { EngineWire } from '../wire/engine-wire.ts';
import { isRetried, wireError } from '../wire/wire-error.ts';
import type { Aborts } from './aborts.ts';
import type { DialectAnswer, EngineDialect, EngineQuestion } from './engine-dialect.ts';
import type { WireEngineSettings } from './wire-engine.ts';
import { startLimit } from './within-limit.ts';

/** What every question to one engine shares. */
export type OpenEngine = Readonly<{
  dialect: EngineDialect;
  wire: EngineWire;
  settings: WireEngineSettings;
  effects: Effects;
  isStreamed: boolean;
  aborts: Aborts;
}>;

/** A question that was not given its name yet: each attempt has its own. */
export type Unnamed = Omit<EngineQuestion, 'requestId'>;

/** Attempts until there is an answer, or an error that another attempt would not mend. */
export async function* askOnce(
  open: OpenEngine,
  unnamed: Unnamed,
  signal: AbortSignal,
): AsyncGenerator<TokenEvent> {
  const { effects } = open;
  for (let number = 1; ; number += 1) {
    const question = { ...unnamed, requestId: effects.newId('request') };
    const startedAt = effects.clock.now();
    const id = { attemptId: effects.newId('attempt'), number };
    yield { type: 'attempt_start', ...id };
    const { answer, error, firstTokenMs } = yield* attempt(open, question, signal, startedAt);
    const record = attemptRecord(open, { ...id, startedAt, firstTokenMs }, question, answer, error);
    yield { type: 'attempt_end', attempt: record };
    if (answer !== null) {
      yield { type: 'result', ...answer };
      return;
    }
    await waitBeforeNext(open, error, number, signal);
  }
}

type Outcome = Readonly<{ firstTokenMs: number | null }> &
  Readonly<{ answer: DialectAnswer; error: null } | { answer: null; error: ModelError }>;

/** One request. Never throws; the connection is closed when it returns, and also when its caller goes away. */
async function* attempt(
  open: OpenEngine,
  question: EngineQuestion,
  outer: AbortSignal,
  startedAt: Instant,
): AsyncGenerator<TokenEvent, Outcome> {
  const { aborts, dialect, effects, settings, wire } = open;
  const limit = startLimit(effects.clock, settings.timeoutMs, outer, wire.address);
  let firstTokenMs: number | null = null;
  let isOver = false;
  try {
    const answers = answerEvents(open, question, limit.signal);
    let next = await answers.next();
    for (; !next.done; next = await answers.next()) {
      firstTokenMs ??= effects.clock.now().monoMs - startedAt.monoMs;
      yield next.value;
    }
    isOver = true;
    for (const output of next.value.outputs) checkOutput(output, settings.vocabularySize);
    return { answer: next.value, error: null, firstTokenMs };
  } catch (thrown) {
    const error = limit.reason() ?? thrown;
    isOver = !limit.signal.aborted;
    return { answer: null, error: asModelError(error), firstTokenMs };
  } finally {
    limit.end();
    if (!isOver && dialect.abortRequest) aborts.tell(dialect.abortRequest(question));
  }
}

/** Tokens as they come, where there is a stream. */
async function* answerEvents(
  { dialect, isStreamed, wire }: OpenEngine,
  question: EngineQuestion,
  signal: AbortSignal,
): AsyncGenerator<TokenEvent, DialectAnswer> {
  const { streaming } = dialect;
  if (!isStreamed || streaming === undefined || wire.stream === undefined)
    return dialect.readAnswer(await wire.send(dialect.question(question), signal), question);
  const reader = streaming.reader(question);
  for await (const event of wire.stream(streaming.question(question), signal))
    for (const piece of reader.push(event)) yield { type: 'tokens_delta', ...piece };
  const answer = reader.finish();
  if (answer !== null) return answer;
  throw wireError('STREAM_CUT', `The stream of ${wire.address} ended before the answer did.`);
}

function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ModelError(HermesError.isInstance(error) ? 'SERVER' : 'BAD_RESPONSE', message);
}

/** Throws the error where there is no next attempt. */
async function waitBeforeNext(
  { effects, settings }: OpenEngine,
  error: ModelError,
  made: number,
  signal: AbortSignal,
): Promise<void> {
  if (made >= settings.maxAttempts || !isRetried(error)) throw error;
  const asked = error.details?.retryAfterMs;
  const backoff = Math.min(settings.retryDelayMs * 2 ** (made - 1), LONGEST_BACKOFF_MS);
  // Half to the whole of it, so that calls that failed together do not come back together.
  const delayMs = typeof asked === 'number' ? asked : backoff * (0.5 + effects.random.next() / 2);
  if (delayMs > LONGEST_WAIT_MS) throw error;
  effects.logger.log('info', 'A question to an engine failed and is asked again.', {
    code: error.code,
    attempt: made,
    delayMs,
  });
  await effects.clock.sleep(delayMs, signal).catch(() => {
    throw wireError('CANCELLED', 'The wait for the next attempt was cancelled.');
  });
}

const LONGEST_BACKOFF_MS = 30_000;
const LONGEST_WAIT_MS = 60_000;

function attemptRecord(
  { effects, settings }: OpenEngine,
  begun: Pick<ModelAttempt, 'attemptId' | 'number' | 'startedAt' | 'firstTokenMs'>,
  question: EngineQuestion,
  answer: DialectAnswer | null,
  error: ModelError | null,
): ModelAttempt {
  const inputTokens = question.ids.length;
  const outputTokens = answer?.outputs.reduce((sum, { ids }) => sum + ids.length, 0) ?? null;
  const status = error?.details?.status;
  return {
    ...begun,
    modelCallId: null,
    responseId: error === null ? question.requestId : null,
    modelId: settings.model,
    endedAt: effects.clock.now(),
    statusCode: error === null ? 200 : typeof status === 'number' ? status : null,
    usage: {
      inputTokens,
      outputTokens,
      totalTokens: outputTokens === null ? null : inputTokens + outputTokens,
      cachedTokens: answer?.cachedTokens ?? null,
      cacheWriteTokens: null,
      reasoningTokens: null,
    },
    error: error?.toInfo() ?? null,
  };
}
