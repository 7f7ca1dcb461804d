import type { AssistantMessage, ChatResult, ModelNote } from '@hermes/protocol';
import { messageOf } from './error-info.ts';
import { extractReasoning } from './extract-reasoning.ts';
import type { Invocation } from './invocation.ts';
import { normaliseCalls } from './normalise-calls.ts';
import type { AssistantParts } from './options.ts';
import { historyCall, type PreparedCall, prepareCall, prepareDropped } from './prepare-call.ts';

/** What the model said: the message for the history, and its calls, checked. */
export type Answer = Readonly<{ message: AssistantMessage; calls: readonly PreparedCall[] }>;

/** Reads an answer; nothing malformed gets into the history. */
export function readAnswer(invocation: Invocation, { message, notes }: ChatResult): Answer {
  const text = textOf(message.content);
  const reasoning = extractReasoning(message);
  const given = prepareAll(invocation, message.tool_calls, notes);
  if (given.length > 0) return answerOf(text, reasoning, given);
  const parsed = parseText(invocation, text);
  const found = parsed ? prepareAll(invocation, parsed.calls, parsed.notes) : [];
  if (!parsed || found.length === 0) return answerOf(text, reasoning, []);
  return answerOf(textOf(parsed.content), reasoning ?? parsed.reasoning, found);
}

function prepareAll(
  { options, tools }: Invocation,
  calls: Parameters<typeof normaliseCalls>[0],
  notes: readonly ModelNote[] = [],
): readonly PreparedCall[] {
  const { newId } = options.effects;
  const prepared = normaliseCalls(calls, newId).map((call) => prepareCall(call, tools));
  const dropped = notes.flatMap((note) =>
    note?.level === 'error' && note.raw !== undefined && tools.size > 0
      ? [prepareDropped(note, note.raw, newId)]
      : [],
  );
  return [...prepared, ...dropped];
}

function answerOf(
  content: string,
  reasoning: string | null,
  calls: readonly PreparedCall[],
): Answer {
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
  return Array.isArray(content) ? content.map((part) => part?.text ?? '').join('') : '';
}
