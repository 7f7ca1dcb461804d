import type { AssistantMessage, Message, SegmentReason } from '@hermes/protocol';
import { isOwnAnswer, isSameMessage } from './recorded-message.ts';
import type { PromptKey, Segment } from './segment.ts';

/** How a request relates to what was recorded. */
export type Continuation = Readonly<
  /** It goes on where the segment ends. */
  | { kind: 'extend'; from: SharedStart }
  /** It goes on from an earlier answer of the segment. */
  | { kind: 'branch'; from: SharedStart }
  | { kind: 'fresh'; reason: SegmentReason }
>;

/** A segment up to and with one of its answers. */
export type SharedStart = Readonly<{
  segment: Segment;
  /** The messages up to there, in the segment and in the request alike. */
  messageCount: number;
  /** Where the tokens of the answer end. */
  end: number;
}>;

type Overlap = Readonly<{ segment: Segment; length: number }>;

/** Finds what a request goes on with, or why it begins anew. `wasReset`: the session was told to forget. */
export function findContinuation(
  segments: readonly Segment[],
  request: Readonly<{
    invocationId: string;
    key: PromptKey;
    messages: readonly Message[];
    wasReset: boolean;
  }>,
): Continuation {
  const { invocationId, key, messages } = request;
  const own = segments.filter((segment) => segment.invocationId === invocationId);
  if (own.length === 0)
    return { kind: 'fresh', reason: request.wasReset ? 'session_reset' : 'start' };
  const alike = own.filter((segment) => segment.key === key);
  if (alike.length === 0) return { kind: 'fresh', reason: 'tools_changed' };
  const overlaps = alike.map((segment) => ({ segment, length: sharedLength(segment, messages) }));
  return extension(overlaps, messages) ?? otherwise(overlaps, segments, messages);
}

function sharedLength({ messages: recorded }: Segment, messages: readonly Message[]): number {
  const longest = Math.min(recorded.length, messages.length);
  for (let at = 0; at < longest; at += 1) {
    const [before, now] = [recorded[at], messages[at]];
    if (before === undefined || now === undefined || !isSameMessage(before, now)) return at;
  }
  return longest;
}

/** The longest segment that the request holds whole, with nothing behind it that anybody else said. */
function extension(
  overlaps: readonly Overlap[],
  messages: readonly Message[],
): Continuation | null {
  let best: Overlap | null = null;
  for (const overlap of overlaps) {
    const isWhole = overlap.length === overlap.segment.messages.length;
    const hasAnswers = messages.slice(overlap.length).some(isAnswer);
    if (isWhole && !hasAnswers && overlap.length >= (best?.length ?? 0)) best = overlap;
  }
  const from = best && sharedStart(best);
  return from ? { kind: 'extend', from } : null;
}

function otherwise(
  overlaps: readonly Overlap[],
  segments: readonly Segment[],
  messages: readonly Message[],
): Continuation {
  const best = overlaps.reduce((one, other) => (other.length >= one.length ? other : one));
  const answers = messages.slice(best.length).filter(isAnswer);
  if (answers.some((answer) => !isKnown(segments, answer)))
    return { kind: 'fresh', reason: 'unknown_assistant_text' };
  const isBranch = answers.length === 0 && isTurnedOff(best, messages);
  if (!isBranch) return { kind: 'fresh', reason: 'history_rewritten' };
  const from = sharedStart(best);
  return from === null ? { kind: 'fresh', reason: 'branch' } : { kind: 'branch', from };
}

/** The same question again, or another word to the model at a place behind one of its answers. */
function isTurnedOff({ segment, length }: Overlap, messages: readonly Message[]): boolean {
  if (length === messages.length) return true;
  return segment.messages[length]?.kind === 'context' && lastAnswer(segment, length) !== -1;
}

function sharedStart({ segment, length }: Overlap): SharedStart | null {
  const at = lastAnswer(segment, length);
  const answer = segment.messages[at];
  if (answer?.kind !== 'sampled') return null;
  return { segment, messageCount: at + 1, end: answer.end };
}

function lastAnswer({ messages }: Segment, length: number): number {
  let at = length - 1;
  while (at >= 0 && messages[at]?.kind !== 'sampled') at -= 1;
  return at;
}

function isAnswer(message: Message): message is AssistantMessage {
  return message.role === 'assistant';
}

function isKnown(segments: readonly Segment[], answer: AssistantMessage): boolean {
  return segments.some(({ messages }) =>
    messages.some((recorded) => recorded.kind === 'sampled' && isOwnAnswer(recorded, answer)),
  );
}
