import type { ChatDelta } from '@hermes/protocol';
import { field, parseJson } from './_json.ts';
import {
  badResponseError,
  bodyError,
  emptyResponseError,
  streamCutError,
} from './attempt-errors.ts';
import { isFailure } from './finish-reason.ts';
import { misshapen } from './misshapen.ts';
import type { ModelTarget } from './model-target.ts';
import { readLimited } from './read-limited.ts';
import { ANSWER_BYTES, readServerEvents } from './read-server-events.ts';
import { beginOf, prepended, type Reading, responsePieces } from './response-pieces.ts';
import { readServerError } from './server-error.ts';

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
  const end = { isDone: false };
  const pieces = responsePieces(reading, response, () => patience(reading, end));
  const first = await pieces.next();
  const body = prepended(first, pieces);
  if (isEventStream(response, beginOf(first))) yield* readStream(reading, body, end);
  else await readWhole(reading, body);
  if (!answer.hasMessage()) throw emptyResponseError(target);
  if (isFailure(answer.finish())) throw bodyError(target, brokenOff(answer.finish()));
}

/** True once the server has said `[DONE]`. */
type StreamEnd = { isDone: boolean };

function patience({ answer, stallMs }: Reading, { isDone }: StreamEnd): number {
  if (isDone) return AFTER_DONE_MS;
  return answer.finish() === null ? stallMs : Math.min(AFTER_FINISH_MS, stallMs);
}

/** What came says more than its content type: servers name the wrong one for streams and for errors. */
function isEventStream({ headers }: Response, begin: string): boolean {
  if (/^\s*[{<]/.test(begin)) return false;
  if (/^\s*(data|event|id|retry)?:/.test(begin)) return true;
  return headers.get('content-type')?.includes('text/event-stream') ?? false;
}

async function* readStream(
  { answer, guard, target }: Reading,
  body: AsyncIterable<Uint8Array>,
  end: StreamEnd,
): AsyncGenerator<ChatDelta> {
  const isWhole = () => end.isDone || answer.finish() !== null;
  try {
    for await (const data of readServerEvents(body)) {
      if (data.trim() === '[DONE]') end.isDone = true;
      else if (!end.isDone) yield* answer.add(parseBody(target, data));
    }
  } catch (error) {
    // After its end an answer cannot be lost any more; what is missing is at most the usage.
    if (!isWhole() || guard.reason() === 'aborted') throw error;
  }
  if (!isWhole()) throw streamCutError(target);
}

async function readWhole(
  { answer, target }: Reading,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const text = await readLimited(body, ANSWER_BYTES, 'refuse');
  const completion = parseBody(target, text);
  if (!Array.isArray(field(completion, 'choices'))) {
    throw badResponseError(target, 'something that is no chat completion', text);
  }
  answer.add(completion);
}

function parseBody(target: ModelTarget, text: string): unknown {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null) {
    throw badResponseError(target, 'something that is no JSON object', text);
  }
  throwError(target, body);
  const fault = misshapen(body);
  if (fault !== null) throw badResponseError(target, fault, text);
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
