import type { JsonObject, JsonValue } from '@hermes/protocol';
import { type CompletionShape, reasoningFields, streamedPieces } from './completion-shape.ts';
import type { FakeCompletion } from './fake-answer.ts';
import { refusal } from './http-answers.ts';

/** The data lines of a streamed answer, `[DONE]` included. */
export function completionChunks(
  answer: FakeCompletion,
  shape: CompletionShape,
  withUsage: boolean,
): readonly string[] {
  const chunk = (choices: JsonValue, usage: JsonObject = {}) =>
    JSON.stringify({
      id: shape.id,
      object: 'chat.completion.chunk',
      created: 0,
      model: shape.model,
      choices,
      ...usage,
    });
  const bare = answer.fault === 'no_choices' || answer.fault === 'no_message';
  const deltas = bare ? [] : deltasOf(answer, shape);
  const end =
    answer.fault === 'no_choices'
      ? []
      : [{ index: 0, ...(!bare && { delta: {} }), finish_reason: shape.finishReason }];
  return [
    ...deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }])),
    chunk(end),
    ...(withUsage && shape.usage ? [chunk([], { usage: shape.usage })] : []),
    '[DONE]',
  ];
}

/** The chunk that breaks a stream, or null where the fault is of another kind. */
export function faultyChunk(answer: FakeCompletion): string | null {
  if (answer.fault === 'nonsense') return '{"choices": [{"delta": <html>';
  if (answer.fault !== 'error_body') return null;
  return JSON.stringify(refusal(500, 'The engine has died.', 'server_error').body);
}

function deltasOf(answer: FakeCompletion, shape: CompletionShape): readonly JsonObject[] {
  return [
    { role: 'assistant', content: '' },
    ...streamedPieces(answer.reasoning ?? '').map((text) => reasoningFields(answer, text)),
    ...streamedPieces(shape.content ?? '').map((content) => ({ content })),
    ...(answer.legacyFunctionCall ? legacyDeltas(shape) : callDeltas(answer, shape)),
  ];
}

function callDeltas(answer: FakeCompletion, shape: CompletionShape): readonly JsonObject[] {
  return shape.calls.flatMap((call, position) => {
    const index = answer.withoutIndex ? {} : { index: position };
    const { name, text } = functionOf(call);
    const [first, second] = halves(text);
    const begin = { ...index, ...call, function: { name, arguments: first } };
    const rest = { ...index, function: { arguments: second } };
    return [{ tool_calls: [begin] }, { tool_calls: [rest] }];
  });
}

function legacyDeltas(shape: CompletionShape): readonly JsonObject[] {
  return shape.calls.slice(0, 1).flatMap((call) => {
    const { name, text } = functionOf(call);
    const [first, second] = halves(text);
    return [
      { function_call: { name, arguments: first } },
      { function_call: { arguments: second } },
    ];
  });
}

function functionOf(call: JsonObject): Readonly<{ name: string; text: string }> {
  const { name, arguments: text } = call.function as Readonly<{ name: string; arguments: string }>;
  return { name, text };
}

function halves(text: string): readonly [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
