import type { AssistantMessage, ContentPart, Message } from '@hermes/protocol';
import { argumentsText } from '../arguments.ts';
import { withoutAbsent } from '../without-absent.ts';
import type { WireAssistant, WireContext } from './wire.ts';

/** A message of an agent's history in our own form. */
export function readMessage(message: WireContext | WireAssistant): Message {
  if (message.role === 'assistant') return readAssistant(message);
  return withoutParts(message) as Message;
}

/** Texts in parts are one text; with an image the parts stay, for a model that sees. */
function withoutParts(message: WireContext) {
  return { ...message, content: joinTexts(message.content) };
}

function joinTexts<Content extends WireAssistant['content'] | WireContext['content']>(
  content: Content,
): Content | string {
  if (!Array.isArray(content)) return content;
  const texts = (content as readonly ContentPart[]).map((part) =>
    part.type === 'text' ? part.text : null,
  );
  return texts.includes(null) ? content : texts.join('');
}

function readAssistant(message: WireAssistant): AssistantMessage {
  const calls = message.tool_calls?.map(({ id, function: { name, arguments: given } }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: argumentsText(given) },
  }));
  return withoutAbsent({
    role: 'assistant' as const,
    content: joinTexts(message.content) ?? '',
    tool_calls: calls?.length === 0 ? undefined : calls,
    // `reasoning` is the newer name of the same
    reasoning_content: message.reasoning_content ?? message.reasoning,
  });
}
