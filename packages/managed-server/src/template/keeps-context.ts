import type { Message, Tokenizer } from '@hermes/protocol';
import { ANSWER, CALL, type Follow, QUESTION, RESULT } from './proof-messages.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';

/**
 * Whether what a model was told last stays where it is once it has answered. Templates that put
 * something before the last message, such as the tools, move it on with every turn. What is behind
 * its words does not count: some write a new line there later.
 */
export function keepsContext(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  follow: Follow,
): boolean {
  const text = (messages: readonly Message[]) =>
    tokenizer.render(renderRequest(settings, messages, false)).text;
  const last = follow === 'toolResult' ? RESULT : QUESTION;
  const told = follow === 'toolResult' ? [QUESTION, CALL, RESULT] : [QUESTION];
  const before = text(told);
  const end = before.lastIndexOf(String(last.content));
  return end !== -1 && text([...told, ANSWER]).startsWith(before.slice(0, end));
}
