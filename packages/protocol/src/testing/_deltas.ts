import type { ToolCall } from '../messages.ts';
import type { ChatDelta } from '../model.ts';
import type { ScriptedAnswer } from './script.ts';

/**
 * An answer in pieces, as a server streams it: reasoning, text, then all calls side by side, each
 * with its arguments in growing parts.
 */
export function* deltasOf(
  answer: ScriptedAnswer,
  calls: readonly ToolCall[],
  length: number,
): Generator<ChatDelta> {
  if (length <= 0) return;
  for (const text of pieces(answer.reasoning ?? '', length))
    yield { type: 'reasoning_delta', text };
  for (const text of pieces(answer.content ?? '', length)) yield { type: 'content_delta', text };
  for (const [index, call] of calls.entries()) {
    yield { type: 'tool_call_start', index, id: call.id, name: call.function.name };
  }
  yield* argumentDeltas(calls, length);
}

function* argumentDeltas(calls: readonly ToolCall[], length: number): Generator<ChatDelta> {
  let open = calls.map((call, index) => ({ index, rest: pieces(call.function.arguments, length) }));
  while (open.length > 0) {
    const unfinished: typeof open = [];
    for (const call of open) {
      const next = call.rest.next();
      if (next.done) continue;
      yield { type: 'tool_call_delta', index: call.index, arguments: next.value };
      unfinished.push(call);
    }
    open = unfinished;
  }
}

/** Never splits a surrogate pair. */
function* pieces(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + Math.max(1, length));
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
