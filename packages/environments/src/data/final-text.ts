import type { AgentResult } from '@hermes/protocol';

/** What the model said last, without its reasoning; '' when it said nothing. */
export function finalText(result: AgentResult): string {
  const last = result.messages.findLast(({ role }) => role === 'assistant');
  const content = last?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
