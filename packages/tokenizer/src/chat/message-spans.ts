import type { RenderRequest, TokenSpan } from '@hermes/protocol';
import type { LocatedText } from '../locate-tokens.ts';
import type { TextSpan } from '../template/output.ts';
import { TokenizerError } from '../tokenizer-error.ts';

/** What is known of a rendered conversation. */
export type RenderedChat = Readonly<{
  request: RenderRequest;
  text: string;
  /** What stood between `{% generation %}` tags. */
  generated: readonly TextSpan[];
  /** What was written while a loop of the template was at each message; null: nothing. */
  written: readonly (TextSpan | null)[];
  located: LocatedText;
  renderText: (request: RenderRequest) => string;
  specialTokens: readonly string[];
}>;

/**
 * The tokens of each message. What a model would sample is known from the template's own
 * `{% generation %}` tags, or else proven: the conversation up to a turn, with the generation prompt,
 * is how the whole text begins. Where it cannot be proven, nothing is marked as generated.
 */
export function messageSpans(chat: RenderedChat): TokenSpan[] {
  const spans = chat.request.messages.flatMap((_, message) => spansOf(chat, message));
  return spans.filter((span) => span.end > span.start);
}

function spansOf(chat: RenderedChat, message: number): TokenSpan[] {
  const whole = chat.written[message] ?? wholeByPrefix(chat, message);
  const generated = generatedParts(chat, message, whole);
  if (generated.length > 0) return generated.map((part) => tokenSpan(chat, message, part, true));
  return whole === null ? [] : [tokenSpan(chat, message, whole, false)];
}

function tokenSpan(
  chat: RenderedChat,
  message: number,
  part: TextSpan,
  generated: boolean,
): TokenSpan {
  const [start, end] = chat.located.tokensIn(part.start, part.end);
  return { message, start, end, generated };
}

function generatedParts(chat: RenderedChat, message: number, whole: TextSpan | null): TextSpan[] {
  if (chat.generated.length > 0)
    return whole === null ? [] : chat.generated.filter((part) => isWithin(part, whole));
  if (chat.request.messages[message]?.role !== 'assistant') return [];
  const part = provenTurn(chat, message, whole);
  return part === null ? [] : [part];
}

function isWithin(part: TextSpan, whole: TextSpan): boolean {
  return part.start >= whole.start && part.end <= whole.end;
}

/** From behind the generation prompt to the end of the turn. */
function provenTurn(chat: RenderedChat, message: number, whole: TextSpan | null): TextSpan | null {
  const start = prefixLength(chat, message, true);
  const end = prefixLength(chat, message + 1, false) ?? whole?.end ?? null;
  if (start === null || end === null || end < start) return null;
  return { start, end: turnEnd(chat, start, end) };
}

/** What a template writes behind the last special token of a turn is not sampled. */
function turnEnd(chat: RenderedChat, start: number, end: number): number {
  const turn = chat.text.slice(start, end);
  const ends = chat.specialTokens
    .map((token) => ({ token, index: turn.lastIndexOf(token) }))
    .filter(({ index }) => index >= 0)
    .map(({ token, index }) => start + index + token.length);
  return ends.length === 0 ? end : Math.max(...ends);
}

/** Where a loop does not tell, a message is what the conversation with it has more than without it. */
function wholeByPrefix(chat: RenderedChat, message: number): TextSpan | null {
  const start = message === 0 ? 0 : prefixLength(chat, message, false);
  const end = prefixLength(chat, message + 1, false);
  return start === null || end === null ? null : { start, end };
}

/** How much text the first messages give; null: the whole text does not begin with it. */
function prefixLength(chat: RenderedChat, count: number, generationPrompt: boolean): number | null {
  const { request } = chat;
  if (count === 0) return null;
  const isWhole =
    count === request.messages.length && generationPrompt === request.generationPrompt;
  if (isWhole) return chat.text.length;
  const messages = request.messages.slice(0, count);
  const prefix = renderedOrNull(chat, { ...request, messages, generationPrompt });
  return prefix !== null && chat.text.startsWith(prefix) ? prefix.length : null;
}

/** Templates may refuse a part of a conversation, such as one without a user. */
function renderedOrNull(chat: RenderedChat, request: RenderRequest): string | null {
  try {
    return chat.renderText(request);
  } catch (error) {
    if (error instanceof TokenizerError && error.code === 'TEMPLATE') return null;
    throw error;
  }
}
