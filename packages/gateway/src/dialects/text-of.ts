import type { AssistantMessage } from '@hermes/protocol';

/** The text of an answer. */
export function textOf({ content }: AssistantMessage): string {
  if (content === null) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
