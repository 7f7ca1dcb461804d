import type { JsonObject, JsonValue } from '@hermes/protocol';
import type { FakeCompletion, FakeToolCall } from './fake-answer.ts';

/** What both the whole body and the chunks of an answer are made from. */
export type CompletionShape = Readonly<{
  id: string;
  model: string;
  content: string | null;
  calls: readonly JsonObject[];
  finishReason: string | null;
  usage: JsonObject | null;
}>;

/** Fills in what the script leaves open. `request`: 1-based. */
export function completionShape(
  answer: FakeCompletion,
  request: number,
  asked: JsonObject,
): CompletionShape {
  const calls = (answer.toolCalls ?? []).map((call, position) => wireCall(call, request, position));
  const content = answer.content === undefined ? (calls.length > 0 ? null : '') : answer.content;
  return {
    id: `chatcmpl-${request}`,
    model: answer.model ?? (typeof asked.model === 'string' ? asked.model : 'fake'),
    content,
    calls,
    finishReason: finishReasonOf(answer),
    usage: answer.usage === undefined ? countedUsage(answer, asked) : answer.usage,
  };
}

function finishReasonOf(answer: FakeCompletion): string | null {
  if (answer.finishReason !== undefined) return answer.finishReason;
  if (answer.legacyFunctionCall) return 'function_call';
  return answer.toolCalls?.length ? 'tool_calls' : 'stop';
}

function wireCall(call: FakeToolCall, request: number, position: number): JsonObject {
  const id = call.id === undefined ? `call_${request}_${position}` : call.id;
  return {
    ...(id !== null && { id }),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call.arguments ?? {}) },
  };
}

function argumentsText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function countedUsage(answer: FakeCompletion, asked: JsonObject): JsonObject {
  const prompt = countWords(JSON.stringify(asked.messages ?? []));
  const calls = JSON.stringify(answer.toolCalls ?? []);
  const completion = countWords(`${answer.content ?? ''} ${answer.reasoning ?? ''} ${calls}`);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** A text as a server streams it: word by word. */
export function streamedPieces(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** The reasoning in the field of the server that is played. */
export function reasoningFields(answer: FakeCompletion, text: string): JsonObject {
  const field = answer.reasoningField ?? 'reasoning_content';
  if (field === 'reasoning_details') return { [field]: [{ type: 'reasoning.text', text }] };
  return { [field]: text };
}
