import { field, textOf } from './_json.ts';

/** The only choice that counts; undefined = there is none. */
export function firstChoice(choices: unknown): unknown {
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice) => (field(choice, 'index') ?? 0) === 0);
}

/** The calls of a whole message stand apart by their position, whatever they are called. */
export function numbered(message: unknown): unknown {
  const calls = field(message, 'tool_calls');
  if (!Array.isArray(calls)) return message;
  return {
    ...Object(message),
    tool_calls: calls.map((call, index) => ({ ...Object(call), index })),
  };
}

/** The text of a message or a delta: its content, or the words in which the model refuses. */
export function readContent(message: unknown): string {
  return contentText(field(message, 'content')) || (textOf(field(message, 'refusal')) ?? '');
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => textOf(field(part, 'text')) ?? '').join('')
    : '';
}
