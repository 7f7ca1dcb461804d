import type { AssistantMessage, Message } from '@hermes/protocol';

/** A conversation in which a prefix could break. */
export type PrefixCase = Readonly<{
  name: string;
  before: readonly Message[];
  answer: AssistantMessage;
  after: readonly Message[];
  /** What to say when the turn of the answer is written differently later on. */
  whenChanged: string;
  /** What is shown if the prefix holds in this conversation or another one of the same kind. */
  shows: 'afterUserMessage' | 'afterToolResult' | 'afterCalls' | null;
}>;

const SYSTEM: Message = { role: 'system', content: 'Kestrel.' };
const USER: Message = { role: 'user', content: 'Which bird?' };
const MORE: Message = { role: 'user', content: 'And another?' };
const ANSWER: AssistantMessage = { role: 'assistant', content: 'A kingfisher.' };
const THOUGHT: AssistantMessage = { ...ANSWER, reasoning_content: 'It dives.' };
const CALL: AssistantMessage = {
  role: 'assistant',
  content: '',
  tool_calls: [
    { id: 'call0bird', type: 'function', function: { name: 'find_bird', arguments: '{"n":1}' } },
  ],
};
const RESULT: Message = { role: 'tool', tool_call_id: 'call0bird', content: 'Wren.' };
const OLD_CHANGES = 'an earlier answer is written differently when a message follows';
const CALL_CHANGES = 'an earlier tool call is written differently when its result follows';
const THOUGHT_CHANGES = 'the thought of an earlier turn is dropped or changed';

/** The conversations to look at; those with calls only where there are tools. */
export function prefixCases(withTools: boolean): PrefixCase[] {
  return withTools ? [...PLAIN, ...TOOLS] : [...PLAIN];
}

const PLAIN: readonly PrefixCase[] = [
  {
    name: 'user message',
    before: [USER],
    answer: ANSWER,
    after: [MORE],
    whenChanged: OLD_CHANGES,
    shows: 'afterUserMessage',
  },
  {
    name: 'user message, with a system message',
    before: [SYSTEM, USER],
    answer: ANSWER,
    after: [MORE],
    whenChanged: OLD_CHANGES,
    shows: null,
  },
  {
    name: 'user message behind a thought',
    before: [USER],
    answer: THOUGHT,
    after: [MORE],
    whenChanged: THOUGHT_CHANGES,
    shows: 'afterUserMessage',
  },
];

const TOOLS: readonly PrefixCase[] = [
  {
    name: 'tool result',
    before: [USER],
    answer: CALL,
    after: [RESULT],
    whenChanged: CALL_CHANGES,
    shows: 'afterToolResult',
  },
  {
    name: 'answer behind a tool result',
    before: [USER, CALL, RESULT],
    answer: ANSWER,
    after: [MORE],
    whenChanged: OLD_CHANGES,
    shows: 'afterCalls',
  },
  {
    name: 'tool result behind a thought',
    before: [USER],
    answer: { ...CALL, reasoning_content: 'I should look.' },
    after: [RESULT],
    whenChanged: THOUGHT_CHANGES,
    shows: 'afterToolResult',
  },
  {
    name: 'user message behind a thoughtful call',
    before: [USER, { ...CALL, reasoning_content: 'I should look.' }, RESULT],
    answer: ANSWER,
    after: [MORE],
    whenChanged: THOUGHT_CHANGES,
    shows: null,
  },
];
