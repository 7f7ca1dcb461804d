import type { AssistantMessage, Message, Tokenizer } from '@hermes/protocol';
import { type PromptSettings, renderRequest } from './render-request.ts';

/** What follows an answer, as far as templates care: the results of its calls, or anything else. */
export type Follow = 'toolResult' | 'other';

const QUESTION: Message = { role: 'user', content: 'Which bird?' };
const MORE: Message = { role: 'user', content: 'And another?' };
const THOUGHT = 'It dives.';
const CALL: AssistantMessage = {
  role: 'assistant',
  content: 'A kingfisher.',
  tool_calls: [
    { id: 'call0bird', type: 'function', function: { name: 'find_bird', arguments: '{"n":1}' } },
  ],
};
const RESULT: Message = { role: 'tool', tool_call_id: 'call0bird', content: 'Wren.' };

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
  const answer = follow === 'toolResult' ? CALL : { role: CALL.role, content: CALL.content };
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
