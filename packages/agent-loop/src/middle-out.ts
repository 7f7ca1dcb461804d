import type { Message } from '@hermes/protocol';
import { checkWhole } from './check-options.ts';
import type { ContextDecision, ContextPolicy } from './context-policy.ts';

/** Options of `middleOut`. */
export type MiddleOutOptions = Readonly<{
  /** What a request may have, by estimate. */
  maxTokens: number;
  /** Messages kept at the start. Default 2. */
  keepFirst?: number;
  /** Messages kept at the end. Default 6. */
  keepLast?: number;
}>;

const SHORTENED_OVER = 200;
const KEPT_HEAD = 100;
const KEPT_TAIL = 50;

/** After an overflow the estimate was too low: aim at this part of what did not fit. */
const OVERFLOW_SHARE = 0.75;

/**
 * The policy `middle-out`: sends a shortened copy when the history is estimated too long. First
 * the tool results in the middle are shortened, then the oldest messages there are dropped, a call
 * always together with its results. The history itself stays whole. Throws CONFIG for wrong options.
 */
export function middleOut(options: MiddleOutOptions): ContextPolicy {
  const { maxTokens, keepFirst = 2, keepLast = 6 } = options;
  checkWhole('middleOut.maxTokens', maxTokens, 1);
  checkWhole('middleOut.keepFirst', keepFirst, 0);
  checkWhole('middleOut.keepLast', keepLast, 0);
  return {
    name: 'middle-out',
    async prepare({ messages, overflow }): Promise<ContextDecision> {
      const estimate = estimateTokens(messages);
      const target = overflow ? Math.min(maxTokens, estimate * OVERFLOW_SHARE) : maxTokens;
      if (estimate <= target) return { kind: 'unchanged' };
      const middle = { start: keepFirst, end: messages.length - keepLast };
      const shortened = shortenResults(messages, middle);
      const view = dropOldest(shortened, middle, target);
      const isSame = view.length === messages.length && view.every((m, i) => m === messages[i]);
      return isSame ? { kind: 'unchanged' } : { kind: 'view', messages: view };
    },
  };
}

type Range = Readonly<{ start: number; end: number }>;

/** A quarter token a character, 10 a message, 50 a tool call. */
function estimateTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

function estimateMessage(message: Message): number {
  const calls = message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0;
  return contentLength(message.content) / 4 + 10 + 50 * calls;
}

function contentLength(content: Message['content']): number {
  if (typeof content === 'string') return content.length;
  if (content === null) return 0;
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}

function shortenResults(messages: readonly Message[], { start, end }: Range): readonly Message[] {
  return messages.map((message, index) => {
    if (index < start || index >= end || message.role !== 'tool') return message;
    const { content } = message;
    if (typeof content !== 'string' || content.length <= SHORTENED_OVER) return message;
    return { ...message, content: shorten(content) };
  });
}

function shorten(text: string): string {
  const head = text.slice(0, KEPT_HEAD).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-KEPT_TAIL).replace(/^[\udc00-\udfff]/, '');
  const omitted = text.length - head.length - tail.length;
  return `${head}\n... [${omitted} characters omitted] ...\n${tail}`;
}

/** Drops whole exchanges, so that no result is left without its call. */
function dropOldest(
  messages: readonly Message[],
  middle: Range,
  target: number,
): readonly Message[] {
  const kept: Message[] = [];
  let excess = estimateTokens(messages) - target;
  for (const { start, end } of exchangesOf(messages)) {
    const exchange = messages.slice(start, end);
    if (excess > 0 && start >= middle.start && end <= middle.end) {
      excess -= estimateTokens(exchange);
    } else {
      kept.push(...exchange);
    }
  }
  return kept;
}

/** A message with the tool results that follow it. */
function exchangesOf(messages: readonly Message[]): readonly Range[] {
  const starts = [...messages.keys()].filter((i) => i === 0 || messages[i]?.role !== 'tool');
  return starts.map((start, place) => ({ start, end: starts[place + 1] ?? messages.length }));
}
