import type { Message, Tokenizer } from '@hermes/protocol';
import { ANSWER, CALL, type Follow, QUESTION, RESULT } from './proof-messages.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';

/**
 * Whether what a model was told last is still written the same once it has answered. Templates that
 * put something before the last message, such as the tools, move it on with every turn.
 */
export function keepsContext(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  follow: Follow,
): boolean {
  const text = (messages: readonly Message[]) =>
    tokenizer.render(renderRequest(settings, messages, false)).text;
  const told = follow === 'toolResult' ? [QUESTION, CALL, RESULT] : [QUESTION];
  return text([...told, ANSWER]).startsWith(text(told));
}
