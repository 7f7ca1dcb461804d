import type { ChatRequest, Message, SegmentReason, Tokenizer } from '@hermes/protocol';
import { idsBehind } from '../template/bridge.ts';
import type { PromptMaker } from '../template/prompt-maker.ts';
import { type Continuation, findContinuation, type SharedStart } from './find-continuation.ts';
import { promptKey } from './prompt-key.ts';
import { type ContextMessage, contextMessage } from './recorded-message.ts';
import type { PromptKey, Segment } from './segment.ts';

/** A prompt to send, and what becomes of the segments once it is answered. */
export type PromptPlan = Readonly<{
  invocationId: string;
  key: PromptKey;
  /** The tokens that go in front, as they were sampled; null: there are none. */
  from: SharedStart | null;
  /** null = the segment goes on; else a new one is opened. */
  reason: SegmentReason | null;
  contextIds: readonly number[];
  contextMessages: readonly ContextMessage[];
  /** How the rendered part of the prompt ends. */
  textEnd: string;
}>;

/** What a plan is made with. */
export type Planning = Readonly<{
  tokenizer: Tokenizer;
  prompts: PromptMaker;
  keepReasoning: boolean;
}>;

/** What is asked. `reminder`: said to the model behind the messages, and recorded as tokens alone. */
export type PromptQuestion = Readonly<{
  request: ChatRequest;
  invocationId: string;
  reminder: Message | null;
  wasReset: boolean;
}>;

/** Extends what was sampled where that is possible, else renders the whole conversation. */
export function planPrompt(
  planning: Planning,
  segments: readonly Segment[],
  question: PromptQuestion,
): PromptPlan {
  const { request, invocationId, wasReset } = question;
  const key = promptKey(request);
  const { messages } = request;
  const found = findContinuation(segments, { invocationId, key, messages, wasReset });
  if (found.kind === 'fresh') return wholePrompt(planning, question, key, found.reason);
  return (
    extendedPrompt(planning, question, key, found) ??
    wholePrompt(planning, question, key, 'template_not_append_only')
  );
}

/** The ids of the prompt. Made when an engine asks: only the new ones were ever looked at. */
export function promptIds({ from, contextIds }: PromptPlan): readonly number[] {
  if (from === null) return contextIds;
  return from.segment.ids.slice(0, from.end).concat(contextIds);
}

export function promptLength({ from, contextIds }: PromptPlan): number {
  return (from?.end ?? 0) + contextIds.length;
}

function wholePrompt(
  { prompts }: Planning,
  { request, invocationId, reminder }: PromptQuestion,
  key: PromptKey,
  reason: SegmentReason,
): PromptPlan {
  const template = prompts.template(request, key);
  const prompt = template.whole(withReminder(request.messages, reminder));
  return {
    invocationId,
    key,
    from: null,
    reason,
    contextIds: prompt.ids,
    contextMessages: request.messages.map(contextMessage),
    textEnd: lastPart(prompt.text),
  };
}

/** null = the template cannot go on there. */
function extendedPrompt(
  planning: Planning,
  { request, invocationId, reminder }: PromptQuestion,
  key: PromptKey,
  { kind, from }: Extract<Continuation, { from: SharedStart }>,
): PromptPlan | null {
  const { keepReasoning, prompts, tokenizer } = planning;
  const context = request.messages.slice(from.messageCount);
  const told = withReminder(context, reminder);
  const answer = request.messages[from.messageCount - 1];
  if (answer?.role !== 'assistant') return null;
  const template = prompts.template(request, key);
  const bridge = template.bridge(answer, told, !keepReasoning && hasThoughts(from));
  const lastId = from.segment.ids[from.end - 1];
  const contextIds = bridge && idsBehind(bridge, lastId, tokenizer.turnEndIds);
  return (
    contextIds && {
      invocationId,
      key,
      from,
      reason: kind === 'branch' ? 'branch' : null,
      contextIds,
      contextMessages: context.map(contextMessage),
      textEnd: lastPart(bridge.text),
    }
  );
}

function hasThoughts({ segment, messageCount }: SharedStart): boolean {
  const recorded = segment.messages.slice(0, messageCount);
  return recorded.some((message) => message.kind === 'sampled' && message.thought);
}

function withReminder(messages: readonly Message[], reminder: Message | null): readonly Message[] {
  return reminder === null ? messages : [...messages, reminder];
}

/** Longer than any tag. */
const END_LENGTH = 80;

function lastPart(text: string): string {
  return text.slice(-END_LENGTH);
}
