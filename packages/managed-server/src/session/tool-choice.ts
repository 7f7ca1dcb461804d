import type { AssistantMessage, ChatRequest, Message } from '@hermes/protocol';

/**
 * What to tell a model that was to make a call and made none; null = all is well. An engine that is
 * asked by ids cannot be made to call.
 */
export function reminderOf(
  { toolChoice }: ChatRequest,
  answers: readonly AssistantMessage[],
): Message | null {
  if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') return null;
  const name = toolChoice === 'required' ? null : toolChoice.name;
  if (answers.every((answer) => hasCall(answer, name))) return null;
  const what = name === null ? 'one of the tools' : `the tool ${name}`;
  return { role: 'user', content: `Answer with a call of ${what}, and nothing else.` };
}

function hasCall({ tool_calls: calls = [] }: AssistantMessage, name: string | null): boolean {
  return calls.some((call) => name === null || call.function.name === name);
}
