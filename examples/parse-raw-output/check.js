/** Reads, streams and converts raw answers, and asserts what comes out. */
import { strict as assert } from 'node:assert';
import { convert } from '@hermes/parsers';
import { toDeltas, toMessage } from './parse-raw-output.js';

const text =
  '<think>Two places.</think>I look.\n' +
  '<tool_call>{"name": "weather", "arguments": {"city": "Bonn", "id": 12345678901234567890}}</tool_call>\n' +
  '<tool_call>{"name": "weather", "arguments": {"city": "Os';

const { message, complaints } = toMessage(text, 'qwen');
assert.equal(message.content, 'I look.');
assert.equal(message.reasoning_content, 'Two places.');
assert.deepEqual(
  message.tool_calls.map((call) => call.function),
  [{ name: 'weather', arguments: '{"city": "Bonn", "id": 12345678901234567890}' }],
);
assert.deepEqual(complaints, [
  'The text ends inside the call of weather, which was dropped (line 3, column 1).',
]);

const complete = text.slice(0, text.lastIndexOf('<tool_call>'));
const merged = { content: '', reasoning: '', calls: [] };
for await (const delta of toDeltas(complete, 'qwen')) merge(delta);
assert.deepEqual(merged, {
  content: message.content,
  reasoning: message.reasoning_content,
  calls: message.tool_calls.map((call) => call.function),
});

// One model's markup as another's, for training data that several models shall learn from.
assert.equal(
  convert(complete, 'qwen', 'mistral'),
  '[THINK]Two places.[/THINK]I look.[TOOL_CALLS]weather[ARGS]{"city": "Bonn", "id": 12345678901234567890}',
);

/** As a client of a streaming API does it: by index. */
function merge(delta) {
  merged.content += delta.content ?? '';
  merged.reasoning += delta.reasoning_content ?? '';
  for (const { index, function: part } of delta.tool_calls ?? []) {
    merged.calls[index] ??= { name: part.name, arguments: '' };
    merged.calls[index].arguments += part.arguments;
  }
}
