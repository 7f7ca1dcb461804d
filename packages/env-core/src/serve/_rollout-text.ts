import type { Message, ToolCall } from '@hermes/protocol';

/** A rollout as a row of a table shows it: who said what, long parts cut. */
export function rolloutText(messages: readonly Message[]): string {
  const blocks = messages.flatMap(blocksOf);
  return blocks.length === 0 ? '(no data)' : blocks.join('\n\n');
}

function blocksOf(message: Message): readonly string[] {
  const text = contentText(message);
  if (message.role === 'tool') return [`[TOOL RESULT] ${cut(text, 500)}`];
  if (message.role !== 'assistant')
    return [`[${message.role === 'user' ? 'USER' : 'SYSTEM'}]\n${text}`];
  const { reasoning_content: reasoning, tool_calls: calls = [] } = message;
  return [
    ...(reasoning ? [`[ASSISTANT thinking]\n${cut(reasoning, 300)}`] : []),
    ...(text === '' ? [] : [`[ASSISTANT]\n${text}`]),
    ...calls.map(callText),
  ];
}

function callText({ function: { name, arguments: text } }: ToolCall): string {
  return `[TOOL CALL] ${name}(${cut(text, 200)})`;
}

function contentText({ content }: Message): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('');
}

/** The first characters of a text, and a sign where more came. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}...`;
}
