import type { AssistantMessage, Message } from '@hermes/protocol';

/** A message as a segment remembers it: enough to know it again, and no more. */
export type RecordedMessage = ContextMessage | SampledMessage;

/** What the model was told. */
export type ContextMessage = Readonly<{
  kind: 'context';
  role: Message['role'];
  text: string;
  toolCallId: string | null;
}>;

/** What the model said, and where its tokens stand. */
export type SampledMessage = Readonly<{
  kind: 'sampled';
  text: string;
  callIds: readonly string[];
  /** A call was dropped because it was broken: a loop may put its own one in its place. */
  droppedCall: boolean;
  /** The turn holds a thought, or its prompt opened one. */
  thought: boolean;
  /** The tokens `[promptEnd, end)` of the segment. */
  promptEnd: number;
  end: number;
}>;

/** What is remembered of a message that was not sampled here. */
export function contextMessage(message: Message): ContextMessage {
  return {
    kind: 'context',
    role: message.role,
    text: messageText(message),
    toolCallId: message.role === 'tool' ? message.tool_call_id : null,
  };
}

/** Whether a message of a request is the one that was recorded. */
export function isSameMessage(recorded: RecordedMessage, message: Message): boolean {
  if (recorded.kind === 'sampled')
    return message.role === 'assistant' && isOwnAnswer(recorded, message);
  return (
    message.role === recorded.role &&
    (message.role !== 'tool' || message.tool_call_id === recorded.toolCallId) &&
    (message.role !== 'assistant' || (message.tool_calls ?? []).length === 0) &&
    messageText(message) === recorded.text
  );
}

/**
 * An answer is known by the ids of its calls, which nobody else gives out, whatever became of its
 * arguments on the way; else by its text. Thoughts do not count: agents drop them.
 */
export function isOwnAnswer(recorded: SampledMessage, message: AssistantMessage): boolean {
  const ids = (message.tool_calls ?? []).map((call) => call.id);
  if (recorded.callIds.length > 0) return recorded.callIds.every((id) => ids.includes(id));
  return (ids.length === 0 || recorded.droppedCall) && messageText(message) === recorded.text;
}

/** The text of a message; `''` where there is none. */
function messageText({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}
