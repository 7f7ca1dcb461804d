import type { CompletedRollout, JsonValue, Message, ToolSchema } from '@hermes/protocol';
import type { FinishedGroup } from '../process-rules.ts';

/** What every line of a trajectory says of itself. */
export function originOf(
  { groupId, itemId }: FinishedGroup,
  { identity, rolloutId }: CompletedRollout,
): Readonly<{ groupId: string; itemId: string; rolloutId: string; model: string }> {
  return { groupId, itemId, rolloutId, model: identity.model.modelId };
}

/** As JSON in a text: columns of nested objects whose keys differ from line to line are merged by table readers. */
export function toolsText(tools: readonly ToolSchema[]): string | null {
  return tools.length === 0 ? null : JSON.stringify(tools);
}

/** The conversation with one kind of content wherever it is text alone, and never null. */
export function plainMessages(messages: readonly Message[]): readonly JsonValue[] {
  return messages.map((message) => asJson({ ...message, content: plainContent(message.content) }));
}

/** The text of a content; null where there is more than text in it. */
export function textContent(content: Message['content']): string | null {
  const plain = plainContent(content);
  return typeof plain === 'string' ? plain : null;
}

function plainContent(content: Message['content']): Exclude<Message['content'], null> {
  if (content === null || typeof content === 'string') return content ?? '';
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('') : content;
}

/** Messages are plain data; only the compiler does not know that they have no undefined members. */
function asJson(message: object): JsonValue {
  return message as JsonValue;
}
