import type { JsonObject, JsonValue } from '@hermes/protocol';
import { bodyPlace, type Issue, issueOf } from '../wire/issues.ts';
import { type Answer, internalError, json, unprocessable } from './answers.ts';
import { isRefusal, type Refusal } from './refusal.ts';

/** What the queue said, as an answer. */
export function answerOf(
  value: JsonObject | Refusal,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return isRefusal(value) ? refused(value) : json(value as JsonValue, 200, headers);
}

export function refused({ refused: why, detail }: Refusal): Answer {
  if (why === 'internal') return internalError;
  if (why === 'queue_full') return json({ detail }, 503, { 'retry-after': '1' });
  if (why === 'too_large') return unprocessable([tooLarge(detail)]);
  return json({ detail }, why === 'no_trainer' ? 409 : 404);
}

function tooLarge(msg: string): Issue {
  return { type: 'group_too_large', loc: ['body', 'tokens'], msg, input: null };
}

/** For a route that declares a body and got none. */
export const missingBody: Answer = unprocessable([issueOf('missing', bodyPlace, null)]);
