import type { ChatDelta } from '@hermes/protocol';
import { field, parseJson } from './_json.ts';
import {
  badResponseError,
  bodyError,
  emptyResponseError,
  streamCutError,
} from './attempt-errors.ts';
import type { AttemptGuard } from './attempt-guard.ts';
import type { AnswerCollector } from './collect-answer.ts';
import { isFailure } from './finish-reason.ts';
import type { ModelTarget } from './model-target.ts';
import { readLimited } from './read-limited.ts';
import { ANSWER_BYTES, readServerEvents } from './read-server-events.ts';
import { readServerError } from './server-error.ts';

/** What is needed to read one response. */
export type Reading = Readonly<{
  target: ModelTarget;
  guard: AttemptGuard;
  answer: AnswerCollector;
  stallMs: number;
}>;

/** Usage comes right after the finish reason, or not at all. */
const AFTER_FINISH_MS = 10_000;
/** A connection whose answer was read to its end can be used again. */
const AFTER_DONE_MS = 1_000;

/** Reads a response into `answer`, and yields what is new as it comes. Throws a ModelError where there is no whole answer. */
export async function* readResponse(
  reading: Reading,
  response: Response,
): AsyncGenerator<ChatDelta> {
  const { answer, target } = reading;
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream')) yield* readStream(reading, response);
  else await readWhole(reading, response);
  if (!answer.hasMessage()) throw emptyResponseError(target);
  if (isFailure(answer.finish())) throw bodyError(target, brokenOff(answer.finish()));
}

async function* readStream(reading: Reading, response: Response): AsyncGenerator<ChatDelta> {
  const { answer, guard, target } = reading;
  let isDone = false;
  const isWhole = () => isDone || answer.finish() !== null;
  const patience = () => (isDone ? AFTER_DONE_MS : isWhole() ? AFTER_FINISH_MS : reading.stallMs);
  try {
    for await (const data of readServerEvents(pieces(reading, response, patience))) {
      if (data.trim() === '[DONE]') isDone = true;
      else if (!isDone) yield* answer.add(parseBody(target, data));
    }
  } catch (error) {
    // After its end an answer cannot be lost any more; what is missing is at most the usage.
    if (!isWhole() || guard.reason() === 'aborted') throw error;
  }
  if (!isWhole()) throw streamCutError(target);
}

async function readWhole(reading: Reading, response: Response): Promise<void> {
  const { answer, target } = reading;
  const body = pieces(reading, response, () => reading.stallMs);
  const text = await readLimited(body, ANSWER_BYTES, 'refuse');
  const completion = parseBody(target, text);
  if (!Array.isArray(field(completion, 'choices'))) {
    throw badResponseError(target, 'something that is no chat completion', text);
  }
  answer.add(completion);
}

/** The bytes of a response. The time that the reader takes between them is not the server's. */
async function* pieces(
  { guard, target }: Reading,
  response: Response,
  patience: () => number,
): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const piece = await readPiece(reader, target);
      guard.expect(null);
      if (piece === null) return;
      yield piece;
      guard.expect(patience());
    }
  } finally {
    reader.cancel().catch(ignoreClosed);
  }
}

async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  target: ModelTarget,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch (error) {
    throw streamCutError(target, error);
  }
}

function ignoreClosed(): void {
  // A stream that broke has nothing to cancel.
}

function parseBody(target: ModelTarget, text: string): unknown {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null) {
    throw badResponseError(target, 'something that is no JSON object', text);
  }
  throwError(target, body);
  return body;
}

/** Some servers report a failure with status 200, or in mid stream. */
function throwError(target: ModelTarget, body: unknown): void {
  const isAnswer = Array.isArray(field(body, 'choices'));
  const error = isAnswer ? readServerError({ error: field(body, 'error') }) : readServerError(body);
  if (error !== null) throw bodyError(target, error);
}

function brokenOff(reason: string | null): Parameters<typeof bodyError>[1] {
  return { message: `finish_reason ${reason}`, type: null, code: null };
}
