import type { AssistantMessage, ChatResult } from '@hermes/protocol';
import { messageOf } from './error-info.ts';
import { extractReasoning } from './extract-reasoning.ts';
import type { Invocation } from './invocation.ts';
import { type NormalCall, normaliseCalls } from './normalise-calls.ts';
import type { AssistantParts } from './options.ts';
import { historyCall, type PreparedCall, prepareCall } from './prepare-call.ts';

/** What the model said: the message for the history, and its calls, checked. */
export type Answer = Readonly<{ message: AssistantMessage; calls: readonly PreparedCall[] }>;

/** Reads an answer; nothing malformed gets into the history. */
export function readAnswer(invocation: Invocation, { message }: ChatResult): Answer {
  const { newId } = invocation.options.effects;
  const text = textOf(message.content);
  const reasoning = extractReasoning(message);
  const given = normaliseCalls(message.tool_calls, newId);
  if (given.length > 0) return answerOf(invocation, text, reasoning, given);
  const parsed = parseText(invocation, text);
  if (!parsed || parsed.calls.length === 0) return answerOf(invocation, text, reasoning, []);
  const calls = normaliseCalls(parsed.calls, newId);
  return answerOf(invocation, parsed.content, reasoning ?? parsed.reasoning, calls);
}

function answerOf(
  { tools }: Invocation,
  content: string,
  reasoning: string | null,
  normal: readonly NormalCall[],
): Answer {
  const calls = normal.map((call) => prepareCall(call, tools));
  return {
    calls,
    message: {
      role: 'assistant',
      content,
      ...(calls.length > 0 && { tool_calls: calls.map(historyCall) }),
      ...(reasoning && { reasoning_content: reasoning }),
    },
  };
}

/** The configured parser, for servers that leave calls in the text. */
function parseText({ options, schemas }: Invocation, text: string): AssistantParts | null {
  if (!options.parseFallback || text === '' || schemas.length === 0) return null;
  try {
    return options.parseFallback(text, schemas);
  } catch (error) {
    const message = 'The tool call parser failed; the text counts as the answer.';
    options.effects.logger.log('warn', message, { error: messageOf(error) });
    return null;
  }
}

function textOf(content: AssistantMessage['content']): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => part.text).join('') : '';
}
