import type { AssistantMessage, Message, Tokenizer } from '@hermes/protocol';
import { ANSWER, CALL, type Follow, MORE, QUESTION, RESULT, THOUGHT } from './proof-messages.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';

/**
 * Whether the thought of an earlier turn stays in the prompt: not where the template itself takes it
 * out when a message follows. `tags`: how the model's format writes a thought; null = it does not.
 */
export function keepsThoughts(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  tags: readonly [open: string, close: string] | null,
  follow: Follow,
): boolean {
  const answer = follow === 'toolResult' ? CALL : ANSWER;
  const after = follow === 'toolResult' ? RESULT : MORE;
  const written = (thoughtful: AssistantMessage) =>
    thoughtfulTexts(tokenizer, settings, thoughtful, after);
  const own = written({ ...answer, reasoning_content: THOUGHT });
  if (own.before && !own.after) return false;
  if (tags === null) return true;
  const [open, close] = tags;
  const inText = written({
    ...answer,
    content: `${open}\n${THOUGHT}\n${close}\n\n${answer.content}`,
  });
  return own.after || inText.after;
}

/** Whether the thought is there before and after a message follows. */
function thoughtfulTexts(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  answer: AssistantMessage,
  after: Message,
): Readonly<{ before: boolean; after: boolean }> {
  const has = (messages: readonly Message[]) =>
    tokenizer.render(renderRequest(settings, messages, false)).text.includes(THOUGHT);
  return { before: has([QUESTION, answer]), after: has([QUESTION, answer, after]) };
}
