import type { AssistantMessage, Message } from '@hermes/protocol';

/** What follows an answer, as far as templates care: the results of its calls, or anything else. */
export type Follow = 'toolResult' | 'other';

/** A short conversation on which templates are tried. */
export const QUESTION: Message = { role: 'user', content: 'Which bird?' };
export const ANSWER: AssistantMessage = { role: 'assistant', content: 'A kingfisher.' };
export const MORE: Message = { role: 'user', content: 'And another?' };
/** Some templates take only ids of nine characters. */
export const CALL: AssistantMessage = {
  ...ANSWER,
  tool_calls: [
    { id: 'call0bird', type: 'function', function: { name: 'find_bird', arguments: '{"n":1}' } },
  ],
};
export const RESULT: Message = { role: 'tool', tool_call_id: 'call0bird', content: 'Wren.' };
export const THOUGHT = 'It dives.';
